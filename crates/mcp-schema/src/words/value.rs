//! Values and names in a message: JSON, on one line, cut at a sensible length.

use std::fmt::Write as _;

use serde_json::Value;

use crate::text::lone_surrogate;

/// Characters of a value or a name that are shown.
const SHOWN: usize = 60;

/// A name or another text of a document, in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut cut = Cut::default();
    cut.string(text);
    cut.written
}

/// What was given, in a few words: containers are only named.
pub(crate) fn preview(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Value::Object(members) if members.is_empty() => "an empty object".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        scalar => scalar.to_string(),
    }
}

/// A value as JSON with its parts, cut: what a schema asks for.
pub(crate) fn literal(value: &Value) -> String {
    let mut cut = Cut::default();
    cut.value(value);
    cut.written
}

/// Writes until its room is used up, so that a value of any size costs no more than that.
#[derive(Default)]
struct Cut {
    written: String,
    used: usize,
}

impl Cut {
    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.put("[");
                for (index, item) in items.iter().enumerate() {
                    if !self.next(index) {
                        return;
                    }
                    self.value(item);
                }
                self.put("]");
            }
            Value::Object(members) => {
                self.put("{");
                for (index, (name, member)) in members.iter().enumerate() {
                    if !self.next(index) {
                        return;
                    }
                    self.string(name);
                    self.put(":");
                    self.value(member);
                }
                self.put("}");
            }
            scalar => self.put(&scalar.to_string()),
        }
    }

    /// Goes on to the next part, if there is room for it.
    fn next(&mut self, index: usize) -> bool {
        if self.used >= SHOWN {
            if !self.written.ends_with('…') {
                self.written.push('…');
            }
            return false;
        }
        if index > 0 {
            self.put(",");
        }
        true
    }

    fn string(&mut self, text: &str) {
        self.put("\"");
        for character in text.chars() {
            if self.used > SHOWN {
                self.written.push('…');
                break;
            }
            self.used += 1;
            escape(character, &mut self.written);
        }
        self.put("\"");
    }

    fn put(&mut self, text: &str) {
        self.used += text.len();
        self.written.push_str(text);
    }
}

/// Escapes as JSON does, and whatever else would break the line, hide, or turn the text around.
fn escape(character: char, out: &mut String) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        other => match escaped_code(other) {
            Some(code) => {
                let _ = write!(out, "\\u{code:04x}");
            }
            None => out.push(other),
        },
    }
}

fn escaped_code(character: char) -> Option<u32> {
    let hidden = matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    );
    if hidden || character.is_control() {
        return Some(u32::from(character));
    }
    lone_surrogate(character).map(u32::from)
}
