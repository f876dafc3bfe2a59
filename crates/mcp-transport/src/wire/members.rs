//! The members of a result, as places in the text of the message.
//! The deep work on them is the caller's, in its own task.

use std::ops::Range;

use serde_json::value::RawValue;

macro_rules! members {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// A member of a result that some method knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Member { $($variant),* }

        impl Member {
            const COUNT: usize = [$(Self::$variant),*].len();

            pub(crate) fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }
    };
}

members! {
    Content = "content",
    StructuredContent = "structuredContent",
    IsError = "isError",
    Meta = "_meta",
    ResultType = "resultType",
    NextCursor = "nextCursor",
    Tools = "tools",
    Resources = "resources",
    ResourceTemplates = "resourceTemplates",
    Prompts = "prompts",
    Contents = "contents",
    Messages = "messages",
    Description = "description",
    Completion = "completion",
    InputRequests = "inputRequests",
    RequestState = "requestState",
    TtlMs = "ttlMs",
    CacheScope = "cacheScope",
    ProtocolVersion = "protocolVersion",
    SupportedVersions = "supportedVersions",
    Capabilities = "capabilities",
    ServerInfo = "serverInfo",
    Instructions = "instructions",
}

/// Where an object and the values of its known members stand in the message; an empty place means absent.
///
/// Of a member that is written twice the last one counts, as in most JSON readers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members {
    /// The whole object.
    pub(crate) range: Range<usize>,
    places: [Place; Member::COUNT],
}

/// A place in a message, whose size fits.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    start: u32,
    end: u32,
}

impl Members {
    pub(crate) fn set(&mut self, member: Member, range: &Range<usize>) {
        let place = |at| u32::try_from(at).unwrap_or(u32::MAX);
        self.places[member as usize] = Place {
            start: place(range.start),
            end: place(range.end),
        };
    }

    /// The member's value, as a piece of the message it was read from.
    pub(crate) fn get<'a>(&self, text: &'a str, member: Member) -> Option<&'a str> {
        let Place { start, end } = self.places[member as usize];
        if end == 0 {
            None
        } else {
            text.get(start as usize..end as usize)
        }
    }
}

/// The `result` of an answer.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// An object. It is moved from hand to hand, so it is one pointer.
    Object(Box<Members>),
    /// Some other JSON value, in words.
    Other(&'static str),
}

impl Body {
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Other("null"))
    }
}

/// Where a piece of a text stands in it.
pub(crate) fn place_in(base: &str, piece: &RawValue) -> Range<usize> {
    let start = (piece.get().as_ptr() as usize).wrapping_sub(base.as_ptr() as usize);
    start..start + piece.get().len()
}
