//! The JSON Schema of `mcp.json`, for editors.
//!
//! Owns: the types that the schema is generated from, with the descriptions that an editor shows. Does not own: the
//! messages of the reader, which checks files by hand. Tests hold the two together.

mod generate;
mod shape;

pub use generate::json_schema;
