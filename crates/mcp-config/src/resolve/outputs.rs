//! What commands printed.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::command::Command;
use crate::secret::Secret;

/// Why a command yielded no value. It holds nothing that the command printed, since that may be a credential.
///
/// ```
/// use mcp_config::CommandFailure;
///
/// let failure = CommandFailure::Exit { status: "exit status 1".to_owned() };
/// assert_eq!(failure.to_string(), "the command ended with exit status 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandFailure {
    /// It could not be started.
    #[error("the command could not be started: {message}")]
    Spawn {
        /// Why.
        message: String,
    },
    /// It ended with another status than success.
    #[error("the command ended with {status}")]
    Exit {
        /// The status, such as `exit status 1` or `signal 9`.
        status: String,
    },
    /// It ran longer than its runner allows.
    #[error("the command ran longer than {} s and was stopped", limit.as_secs_f64())]
    TimedOut {
        /// The runner's limit; [`TIME_LIMIT`](super::TIME_LIMIT) where the host chose no other.
        limit: Duration,
    },
    /// It printed more than [`OUTPUT_LIMIT`](super::OUTPUT_LIMIT).
    #[error("the command printed more than 64 KiB and was stopped")]
    TooLarge,
    /// It printed something that is not UTF-8.
    #[error("the command's output is not UTF-8")]
    NotUnicode,
    /// The runner was closed before it ended.
    #[error("the command was stopped, because its host is closing")]
    Stopped,
}

/// The outcomes of the commands that an entry needs.
///
/// ```
/// use mcp_config::{Command, Outputs};
///
/// let outputs: Outputs = [(Command::new("pass show mcp"), Ok(b"tok-123\n".to_vec()))].into_iter().collect();
/// assert!(outputs.contains(&Command::new("pass show mcp")));
/// ```
#[derive(Clone, Default)]
pub struct Outputs {
    outcomes: BTreeMap<Command, Result<Secret, CommandFailure>>,
}

impl Outputs {
    /// No outcomes, for entries without commands.
    pub fn new() -> Self {
        Outputs::default()
    }

    /// Adds what a command printed on its standard output, or why it failed. One final line break is trimmed here.
    pub fn insert(&mut self, command: Command, outcome: Result<Vec<u8>, CommandFailure>) {
        let outcome = outcome.and_then(|output| match String::from_utf8(output) {
            Ok(text) => Ok(Secret::new(trim_line_break(&text))),
            Err(_) => Err(CommandFailure::NotUnicode),
        });
        self.outcomes.insert(command, outcome);
    }

    /// Whether the outcome of a command is known.
    pub fn contains(&self, command: &Command) -> bool {
        self.outcomes.contains_key(command)
    }

    pub(super) fn get(&self, command: &Command) -> Option<&Result<Secret, CommandFailure>> {
        self.outcomes.get(command)
    }
}

fn trim_line_break(text: &str) -> &str {
    let trimmed = text.strip_suffix('\n').unwrap_or(text);
    trimmed
        .strip_suffix('\r')
        .filter(|_| trimmed.len() < text.len())
        .unwrap_or(trimmed)
}

impl FromIterator<(Command, Result<Vec<u8>, CommandFailure>)> for Outputs {
    fn from_iter<I>(outcomes: I) -> Self
    where
        I: IntoIterator<Item = (Command, Result<Vec<u8>, CommandFailure>)>,
    {
        let mut outputs = Outputs::new();
        for (command, outcome) in outcomes {
            outputs.insert(command, outcome);
        }
        outputs
    }
}

impl fmt::Debug for Outputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outputs")
            .field("commands", &self.outcomes.len())
            .finish()
    }
}
