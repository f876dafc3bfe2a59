//! What a server answered, as content for a model: text and image parts. Pure: no connection, no
//! time, no I/O. It never fails; what it cannot give becomes a short note in its place.

mod base64;
mod block;
mod convert;
mod image;
mod json;
mod part;
mod size;

pub use convert::{RawResult, ResultOptions, convert};
pub use part::{CallFailure, ContentPart, ToolResult};

pub(crate) use json::compact;
