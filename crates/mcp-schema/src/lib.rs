#![doc = include_str!("../README.md")]

mod arguments;
mod check;
mod compile;
mod coverage;
mod dialect;
mod limits;
mod nulls;
mod outline;
mod path;
mod stack;
mod text;
mod tool_schema;
mod violation;
mod withheld;
mod words;

pub use arguments::Arguments;
pub use check::Checked;
pub use coverage::{Coverage, Note, Withheld};
pub use tool_schema::ToolSchema;
pub use violation::{Violation, Violations};
