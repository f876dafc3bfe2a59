//! Backslashes that a string loses: JSON5 reads `"C:\Users"` as `C:Users`, where JSON refuses it.

use super::reader::Context;
use crate::document::{JsonPath, Node};

impl Context<'_> {
    /// Warns about single backslashes that were meant as such, as in a path of Windows or a regular expression.
    pub(super) fn lone_backslash(&mut self, node: &Node, path: &JsonPath) {
        let literal = self.source.text().get(node.span().range());
        let Some(escape) = literal.and_then(lost) else {
            return;
        };
        let message = format!("`\\{escape}` in this string does not stand for a backslash");
        let help = format!("write a backslash as two: `\\\\{escape}`");
        self.warn(node.span(), path, message, Some(help));
    }
}

/// The letter after the first backslash that was hardly meant as an escape.
fn lost(literal: &str) -> Option<char> {
    let mut at = 0;
    while let Some(found) = literal.get(at..)?.find('\\') {
        let (before, after) = literal.split_at(at + found);
        let letter = after.chars().nth(1)?;
        let is_escape = !letter.is_ascii_alphabetic() || "bfnrtvxu".contains(letter);
        if !is_escape || (letter.is_ascii_alphabetic() && ends_with_drive(before)) {
            return Some(letter);
        }
        at += found + 1 + letter.len_utf8();
    }
    None
}

/// Whether a text ends with the drive that a path of Windows begins with.
fn ends_with_drive(before: &str) -> bool {
    let mut backwards = before.chars().rev();
    backwards.next() == Some(':')
        && backwards.next().is_some_and(|c| c.is_ascii_alphabetic())
        && !backwards.next().is_some_and(char::is_alphanumeric)
}
