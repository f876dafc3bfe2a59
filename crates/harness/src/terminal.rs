//! What may go to a terminal: colours only where they are wanted, and text of servers and files with its
//! control characters escaped. It owns no stream.

use std::fmt::Write as _;

/// Whether output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Plain text.
    #[default]
    Plain,
    /// ANSI colours.
    Coloured,
}

impl Style {
    /// Bold text.
    pub fn bold(self, text: &str) -> String {
        self.paint(anstyle::Style::new().bold(), text)
    }

    /// Less important text.
    pub fn dim(self, text: &str) -> String {
        self.paint(anstyle::Style::new().dimmed(), text)
    }

    /// What is good, or was added.
    pub fn green(self, text: &str) -> String {
        self.paint(anstyle::AnsiColor::Green.on_default(), text)
    }

    /// What is bad, or was removed.
    pub fn red(self, text: &str) -> String {
        self.paint(anstyle::AnsiColor::Red.on_default(), text)
    }

    /// What needs attention.
    pub fn yellow(self, text: &str) -> String {
        self.paint(anstyle::AnsiColor::Yellow.on_default(), text)
    }

    fn paint(self, style: anstyle::Style, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("{style}{text}{style:#}"),
        }
    }
}

/// Text of a server or a file for a terminal: lines stay lines, all other control characters are escaped.
///
/// ```
/// use mcp_harness::terminal::escape;
///
/// assert_eq!(escape("a\u{1b}[31mb\nc"), "a\\u{1b}[31mb\nc");
/// ```
pub fn escape(text: &str) -> String {
    escape_but(text, |character| matches!(character, '\n'))
}

/// Text of a server or a file that must stay on one line of a terminal.
pub fn escape_line(text: &str) -> String {
    escape_but(text, |_| false)
}

fn escape_but(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            kept if keep(kept) => escaped.push(kept),
            '\t' => escaped.push_str("    "),
            '\n' => escaped.push_str("\\n"),
            hidden if is_hidden(hidden) => {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{{{:x}}}", u32::from(hidden));
            }
            plain => escaped.push(plain),
        }
    }
    escaped
}

/// Whether a character moves the cursor, changes the terminal's state or hides what stands there:
/// controls, marks that change the direction of text, invisible and line-breaking ones.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
