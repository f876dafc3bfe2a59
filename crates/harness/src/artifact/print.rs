//! The canonical text of an artifact: two spaces, one member a line, a final newline. It owns the layout
//! alone; which values an artifact holds is not known here.

use super::Json;

impl Json {
    /// The text of an artifact: indented by two spaces, with a final newline.
    ///
    /// ```
    /// use mcp_harness::artifact::Json;
    ///
    /// let value = Json::object([("a", Json::Array(vec![])), ("b", Json::from("x"))]);
    /// assert_eq!(value.to_text(), "{\n  \"a\": [],\n  \"b\": \"x\"\n}\n");
    /// ```
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        write_indented(self, 0, &mut text);
        text.push('\n');
        text
    }

    /// The value on one line, without spaces.
    pub fn to_line(&self) -> String {
        let mut text = String::new();
        write_line(self, &mut text);
        text
    }
}

fn write_indented(value: &Json, depth: usize, text: &mut String) {
    match value {
        Json::Array(items) if !items.is_empty() => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                start_line(position, depth + 1, text);
                write_indented(item, depth + 1, text);
            }
            end_line(depth, text);
            text.push(']');
        }
        Json::Object(members) if !members.is_empty() => {
            text.push('{');
            for (position, (name, member)) in members.iter().enumerate() {
                start_line(position, depth + 1, text);
                write_string(name, text);
                text.push_str(": ");
                write_indented(member, depth + 1, text);
            }
            end_line(depth, text);
            text.push('}');
        }
        flat => write_line(flat, text),
    }
}

fn start_line(position: usize, depth: usize, text: &mut String) {
    if position > 0 {
        text.push(',');
    }
    end_line(depth, text);
}

fn end_line(depth: usize, text: &mut String) {
    text.push('\n');
    text.extend(std::iter::repeat_n("  ", depth));
}

fn write_line(value: &Json, text: &mut String) {
    match value {
        Json::Null => text.push_str("null"),
        Json::Bool(true) => text.push_str("true"),
        Json::Bool(false) => text.push_str("false"),
        Json::Number(digits) => text.push_str(digits),
        Json::String(string) => write_string(string, text),
        Json::Array(items) => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                write_line(item, text);
            }
            text.push(']');
        }
        Json::Object(members) => {
            text.push('{');
            for (position, (name, member)) in members.iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                write_string(name, text);
                text.push(':');
                write_line(member, text);
            }
            text.push('}');
        }
    }
}

/// Writes a string literal. Characters that would hide in a reviewer's terminal or diff (controls, bidi
/// marks, invisible spaces) are written as escapes.
fn write_string(string: &str, text: &mut String) {
    use std::fmt::Write as _;
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            hidden if crate::terminal::is_hidden(hidden) => {
                let mut units = [0; 2];
                for unit in hidden.encode_utf16(&mut units) {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
            plain => text.push(plain),
        }
    }
    text.push('"');
}
