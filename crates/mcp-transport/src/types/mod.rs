//! What the methods give back: small types over the server's own JSON.

mod call_result;
mod completion;
mod listing;
mod object;
mod prompt;
mod resource;
mod tool;

pub use call_result::CallResult;
pub use completion::{Completion, CompletionRef};
pub use listing::{CacheHint, ListProblem, Listing};
pub(crate) use listing::{Faults, Item};
pub(crate) use object::{Fault, Object};
pub use prompt::{Prompt, PromptArgument, PromptResult};
pub use resource::{Resource, ResourceContents, ResourceTemplate};
pub use tool::Tool;
