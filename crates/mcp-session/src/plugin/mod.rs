//! What a host adds: plugins of three domains, which run in order before an exchange is frozen, and
//! hooks around calls. A plugin of one domain cannot write what an earlier domain settled.

mod candidate;
mod domain;
mod hook;
mod own_tool;
mod prompt;
mod refused;
mod tools;

pub use candidate::ToolView;
pub use domain::{
    Domain, McpPlugin, Plugin, PluginError, PluginFailures, PromptPlugin, ToolPlugin,
};
pub use hook::{HookedCall, Refusal, ToolHandler, ToolHook};
pub use own_tool::{PluginTool, ToolPatch};
pub use prompt::PromptBucket;
pub use refused::ToolEditRefused;
pub use tools::ToolBucket;

pub(crate) use candidate::{Candidate, Runner};
