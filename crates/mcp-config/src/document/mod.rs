//! JSON5 documents with positions.
//!
//! Owns: text to a tree in which each value and each member name knows where it stands, the limits that protect
//! the reader (depth, number of values), duplicate members, excerpts for problems. Does not own: what a document means.
//!
//! The scanner is iterative and light: it knows brackets, commas, strings, words and comments. What a single scalar
//! says (escapes, number formats, identifiers) is decided by the `json5` crate.
//!
//! ```
//! use mcp_config::document;
//!
//! let parsed = document::parse("demo.json5", b"{ // a comment\n  port: 8080, }");
//! let document = parsed.document.expect("the text is JSON5");
//! let port = document.root().get("port").expect("the member is there");
//! assert_eq!(port.as_u64(), Some(8080));
//! assert_eq!((port.position().line, port.position().column), (2, 9));
//! ```

mod builder;
mod cursor;
mod encoding;
mod excerpt;
mod faults;
mod lexer;
mod lookalike;
mod node;
mod number;
mod parse;
mod path;
mod scalar;
mod sensitive;
mod source;
mod span;

pub use excerpt::Excerpt;
pub use node::{Kind, Member, Node, Object, Value};
pub use number::Number;
pub use parse::{Document, MAX_DEPTH, MAX_VALUES, Parsed, is_blank, parse};
pub use path::JsonPath;
pub use source::Source;
pub use span::{Position, Span};
