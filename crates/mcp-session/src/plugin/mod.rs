//! What a host adds: plugins of three domains, which run in order before an exchange is frozen, and
//! hooks around calls. A plugin of one domain cannot write what an earlier domain settled.

mod domain;
mod hook;
mod prompt;
mod tools;

pub use domain::{
    Domain, McpPlugin, Plugin, PluginError, PluginFailures, PromptPlugin, ToolPlugin,
};
pub use hook::{HookedCall, Refusal, ToolHandler, ToolHook};
pub use prompt::PromptBucket;
pub use tools::{PluginTool, ToolBucket, ToolEditRefused, ToolPatch, ToolView};

pub(crate) use tools::{Candidate, Runner};
