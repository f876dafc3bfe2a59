//! Where something stands in a text.

use std::ops::Range;

/// A line and a column, both counted from 1; columns count characters, not bytes.
///
/// ```
/// use mcp_config::document::{self, Position};
///
/// let document = document::parse("t", "[\n  'é', 1]".as_bytes()).document.expect("an array");
/// let items = document.root().as_array().expect("an array");
/// assert_eq!(items[1].position(), Position { line: 2, column: 8 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// The first character of a text.
    pub const START: Position = Position { line: 1, column: 1 };
}

/// A stretch of a text, with the position of its first character.
///
/// The position is carried along, because counting columns again for every problem would be quadratic in a file
/// that is one long line.
///
/// ```
/// use mcp_config::document;
///
/// let text = "{ a: [1, 2] }";
/// let document = document::parse("t", text.as_bytes()).document.expect("an object");
/// let span = document.root().get("a").expect("a member").span();
/// assert_eq!(&text[span.range()], "[1, 2]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) position: Position,
}

impl Span {
    /// The byte range in the text, without its byte order mark.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Where it begins.
    pub fn position(self) -> Position {
        self.position
    }
}
