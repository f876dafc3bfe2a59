//! Keeps text from files and servers from steering the terminal it is shown on.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Writes control characters, bidirectional marks and other invisible characters as `\u{…}`, line breaks too, so
/// that the text stays on one line and means what it looks like.
///
/// ```
/// use mcp_config::escape_terminal;
///
/// assert_eq!(escape_terminal("plain é text"), "plain é text");
/// assert_eq!(escape_terminal("\u{1b}[31mred\n"), r"\u{1b}[31mred\n");
/// ```
pub fn escape_terminal(text: &str) -> Cow<'_, str> {
    escape(text, |escaped, c| {
        // Writing to a String cannot fail.
        _ = match c {
            '\n' => escaped.write_str("\\n"),
            '\r' => escaped.write_str("\\r"),
            '\t' => escaped.write_str("\\t"),
            _ => write!(escaped, "\\u{{{:x}}}", u32::from(c)),
        };
    })
}

/// Makes a JSON text safe for a terminal without changing what it says: inside its strings, what
/// [`escape_terminal`] would escape becomes `\uXXXX`. White space between the tokens stays.
///
/// ```
/// use mcp_config::escape_json;
///
/// assert_eq!(escape_json("{\n\"a\": \"\u{9b}31m\"}"), "{\n\"a\": \"\\u009b31m\"}");
/// ```
pub fn escape_json(json: &str) -> Cow<'_, str> {
    escape(json, |escaped, c| {
        if matches!(c, '\n' | '\r' | '\t') {
            // Within strings, JSON has these escaped already.
            escaped.push(c);
            return;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    })
}

fn escape(text: &str, write: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe(c) {
            write(&mut escaped, c);
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Controls (C0, DEL, C1), separators that break lines, and marks that reorder or hide text.
pub(crate) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}
