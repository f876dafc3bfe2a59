//! rmcp's types for what servers ask of a host; nothing else of this crate's surface is rmcp's.

pub use rmcp::model::{
    ContextInclusion, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, Role,
};

/// Aliases, so that only this module meets rmcp's notes of deprecation: servers go on asking for roots and
/// sampling for as long as the older revisions live.
macro_rules! aliases {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        $(
            $(#[$doc])*
            #[expect(deprecated, reason = "servers of the older revisions go on asking")]
            pub type $name = rmcp::model::$name;
        )*
    };
}

aliases! {
    /// What a server asks the host's model.
    CreateMessageRequestParams,
    /// What the host's model said.
    CreateMessageResult,
    /// The host's roots.
    ListRootsResult,
    /// A hint at a model.
    ModelHint,
    /// Which model a server would like.
    ModelPreferences,
    /// One root of the host.
    Root,
    /// A message of a conversation.
    SamplingMessage,
    /// A part of such a message.
    SamplingMessageContentBlock,
}
