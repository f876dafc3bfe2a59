//! Entries of `mcpServers`.
//!
//! Owns: what an entry may say, how it is read and checked, one message for each thing that is wrong. Does not own:
//! files, layers, and which entry wins.

mod backslash;
mod changes;
mod command_line;
mod duration;
mod exposure;
mod http;
mod kind;
mod members;
mod origin;
mod parse;
mod patch;
mod reader;
mod relocate;
mod server;
mod standalone;
mod stdio;
mod transport;
mod url;
mod values;
mod written;

pub use changes::Changes;
pub(crate) use duration::LONGEST_MS;
pub use exposure::{Exposure, ToolExposure};
pub(crate) use members::is_entry;
pub use origin::{Origin, Sourced};
pub(crate) use parse::{Written, read_entry};
pub(crate) use patch::Patch;
pub(crate) use reader::{Context, More};
pub use server::ServerEntry;
pub use transport::{HttpEntry, StdioEntry, Transport};
pub(crate) use url::{is_plain as is_plain_url, masked as masked_url};
