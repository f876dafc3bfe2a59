//! A line that a server wrote for people, wherever it wrote it.

/// Where a log entry came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LogSource {
    /// `notifications/message`.
    Message,
    /// A line on standard error.
    Stderr,
    /// A line on standard output that is no message.
    Stdout,
    /// Something in the protocol that the connection had to tolerate.
    Protocol,
}

/// One log entry, masked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogEntry {
    /// Where it came from.
    pub source: LogSource,
    /// The level in MCP's words: `debug`, `info`, `notice`, `warning`, `error`, …
    pub level: String,
    /// The part of the server that speaks, if it said so.
    pub logger: Option<String>,
    /// The text as it is; other JSON as its text.
    pub data: String,
}

impl LogEntry {
    pub(crate) fn new(source: LogSource, level: &str, data: impl Into<String>) -> Self {
        Self {
            source,
            level: level.to_owned(),
            logger: None,
            data: data.into(),
        }
    }

    /// The bytes that it holds, all of which may be the server's.
    pub(crate) fn size(&self) -> usize {
        self.level.len() + self.logger.as_ref().map_or(0, String::len) + self.data.len()
    }
}
