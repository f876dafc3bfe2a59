//! A command that yields a value.

use std::fmt;

use crate::secret::MASK;

/// The text after a leading `!`, for `sh -c`. It is a literal of `env` or `headers`, so Debug and Display hide it.
///
/// ```
/// use mcp_config::Command;
///
/// let command = Command::new("pass show mcp");
/// assert_eq!((command.expose(), command.to_string().as_str()), ("pass show mcp", "![SECRET]"));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Command(Box<str>);

impl Command {
    /// Takes the text as it stands.
    pub fn new(text: &str) -> Self {
        Command(text.into())
    }

    /// The text for `sh -c`.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "!{MASK}")
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Command(!{MASK})")
    }
}
