//! One entry, and the one line that it becomes.

use std::fmt::Write;
use std::time::SystemTime;

use super::time::Timestamp;

/// What is kept of one entry's data.
const MAX_DATA: usize = 64 * 1024;
/// What is kept of a server's name and of a logger's.
const MAX_NAME: usize = 256;

/// One entry of the log, with every secret masked already.
#[derive(Debug, Clone, Copy)]
pub struct LogRecord<'a> {
    /// The server, by its name in the configuration.
    pub server: &'a str,
    /// The level, in MCP's words: `debug`, `info`, `notice`, `warning`, `error`, …
    pub level: &'a str,
    /// The part of the server that speaks, if it says so.
    pub logger: Option<&'a str>,
    /// The text as it is; any other JSON as its text.
    pub data: &'a str,
}

impl LogRecord<'_> {
    /// Five fields with tabs between them and a line feed at the end; whatever could end a field,
    /// a line, or the reader's peace on a terminal is escaped.
    pub(super) fn to_line(self, now: SystemTime) -> String {
        let mut line = String::with_capacity(64 + self.data.len().min(MAX_DATA));
        let _ = write!(line, "{}", Timestamp(now));
        let logger = self.logger.unwrap_or_default();
        for (field, limit) in [
            (self.server, MAX_NAME),
            (self.level, MAX_NAME),
            (logger, MAX_NAME),
            (self.data, MAX_DATA),
        ] {
            line.push('\t');
            push_escaped(&mut line, field, limit);
        }
        line.push('\n');
        line
    }
}

/// An empty field is a dash, so that a reader who splits at blanks counts the same fields.
fn push_escaped(line: &mut String, field: &str, limit: usize) {
    if field.is_empty() {
        line.push('-');
        return;
    }
    let end = field.floor_char_boundary(limit);
    for character in field[..end].chars() {
        if is_disturbing(character) {
            let _ = write!(line, "{}", character.escape_default());
        } else {
            line.push(character);
        }
    }
    if end < field.len() {
        let _ = write!(line, "… ({} bytes more)", field.len() - end);
    }
}

/// Control characters, and those that break lines or turn the direction of the text.
fn is_disturbing(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
