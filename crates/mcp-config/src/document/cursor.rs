//! Turns byte offsets that only grow into lines and columns, in one pass over the text.

use super::span::{Position, Span};

#[derive(Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    offset: usize,
    position: Position,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Cursor {
            text,
            offset: 0,
            position: Position::START,
        }
    }

    /// The span of a range that begins at or after the last one asked for.
    pub(super) fn span(&mut self, start: usize, end: usize) -> Span {
        self.advance(start);
        Span {
            start: narrow(start),
            end: narrow(end),
            position: self.position,
        }
    }

    fn advance(&mut self, to: usize) {
        for c in self.text.get(self.offset..to).unwrap_or_default().chars() {
            if c == '\n' {
                self.position = Position {
                    line: self.position.line + 1,
                    column: 1,
                };
            } else {
                self.position.column += 1;
            }
        }
        self.offset = self.offset.max(to);
    }
}

/// Texts are limited to far less than 4 GiB before they get here; a larger one would only lose positions.
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// The span of a range anywhere in the text, found by counting from its start.
pub(super) fn locate(text: &str, start: usize, end: usize) -> Span {
    Cursor::new(text).span(start, end)
}
