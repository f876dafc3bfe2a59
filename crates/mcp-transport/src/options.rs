//! What a host settles for a connection before it begins.

use std::time::Duration;

use crate::event::LogEntry;
use crate::{ClientInfo, Era, Handlers, LogRecord, Mask, ServerLog};

/// How long a server may take to be connected.
pub const START_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a request may take without progress.
pub const REQUEST_TIMEOUT: Duration = Duration::from_mins(1);
/// How long a request may take altogether.
pub const MAX_REQUEST: Duration = Duration::from_mins(10);
/// How long the probe of the era is alone before `initialize` is sent beside it.
pub const PROBE_WAIT: Duration = Duration::from_secs(1);
/// How long the rest of the output is read after a process exited, and how long an exit is waited for after
/// the output ended.
pub const EXIT_GRACE: Duration = Duration::from_millis(100);

/// How long the end of a connection waits for the log file.
const LOG_FLUSH: Duration = Duration::from_secs(1);

/// What a host settles for a connection.
///
/// ```
/// use std::time::Duration;
/// use mcp_transport::{ClientInfo, Mask, Options};
///
/// let options = Options::new(ClientInfo::new("my-agent", "1.0.0"))
///     .server_name("github")
///     .mask(Mask::new(["the value of a token"]))
///     .start_timeout(Duration::from_secs(10));
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) client: ClientInfo,
    pub(crate) server_name: String,
    pub(crate) era: Option<Era>,
    pub(crate) mask: Mask,
    pub(crate) handlers: Handlers,
    pub(crate) server_log: Option<ServerLog>,
    pub(crate) start_timeout: Duration,
    pub(crate) request_timeout: Duration,
    pub(crate) max_request: Duration,
    pub(crate) probe_wait: Duration,
    pub(crate) exit_grace: Duration,
    #[cfg(feature = "stdio")]
    pub(crate) close_ladder: crate::process::Ladder,
}

impl Default for Options {
    fn default() -> Self {
        Self::new(ClientInfo::default())
    }
}

impl Options {
    /// The defaults, for a client of this name.
    pub fn new(client: ClientInfo) -> Self {
        Self {
            client,
            server_name: String::new(),
            era: None,
            mask: Mask::default(),
            handlers: Handlers::default(),
            server_log: None,
            start_timeout: START_TIMEOUT,
            request_timeout: REQUEST_TIMEOUT,
            max_request: MAX_REQUEST,
            probe_wait: PROBE_WAIT,
            exit_grace: EXIT_GRACE,
            #[cfg(feature = "stdio")]
            close_ladder: crate::process::Ladder::default(),
        }
    }

    /// Who servers are told we are.
    #[must_use]
    pub fn client(mut self, client: ClientInfo) -> Self {
        self.client = client;
        self
    }

    /// What the server is called here: in spans and in the server log.
    #[must_use]
    pub fn server_name(mut self, name: impl Into<String>) -> Self {
        self.server_name = name.into();
        self
    }

    /// How an earlier connection spoke to this server, which saves the probe.
    #[must_use]
    pub fn era(mut self, era: Option<Era>) -> Self {
        self.era = era;
        self
    }

    /// The values that nobody may see.
    #[must_use]
    pub fn mask(mut self, mask: Mask) -> Self {
        self.mask = mask;
        self
    }

    /// What the host does for the server.
    #[must_use]
    pub fn handlers(mut self, handlers: Handlers) -> Self {
        self.handlers = handlers;
        self
    }

    /// Where log entries are kept, masked, those of a failed start too.
    #[must_use]
    pub fn server_log(mut self, log: ServerLog) -> Self {
        self.server_log = Some(log);
        self
    }

    /// How long the whole start may take; [`START_TIMEOUT`] by default.
    #[must_use]
    pub fn start_timeout(mut self, timeout: Duration) -> Self {
        self.start_timeout = timeout;
        self
    }

    /// How long the server may be silent in a request; [`REQUEST_TIMEOUT`] by default.
    #[must_use]
    pub fn request_timeout(mut self, timeout: Duration) -> Self {
        self.request_timeout = timeout;
        self
    }

    /// How long a request may take altogether; [`MAX_REQUEST`] by default.
    #[must_use]
    pub fn max_request(mut self, timeout: Duration) -> Self {
        self.max_request = timeout;
        self
    }

    /// How long the probe of the era is alone; [`PROBE_WAIT`] by default.
    #[must_use]
    pub fn probe_wait(mut self, wait: Duration) -> Self {
        self.probe_wait = wait;
        self
    }

    /// How long the two signs of an end, exit and end of output, wait for each other; [`EXIT_GRACE`] by
    /// default.
    #[must_use]
    pub fn exit_grace(mut self, grace: Duration) -> Self {
        self.exit_grace = grace;
        self
    }

    /// The steps by which a server's process is ended.
    #[cfg(feature = "stdio")]
    #[must_use]
    pub fn close_ladder(mut self, ladder: crate::process::Ladder) -> Self {
        self.close_ladder = ladder;
        self
    }

    /// Keeps a log entry, which must be masked, in the server log.
    pub(crate) fn write_log(&self, entry: &LogEntry) {
        if let Some(log) = &self.server_log {
            log.write(LogRecord {
                server: &self.server_name,
                level: &entry.level,
                logger: entry.logger.as_deref(),
                data: &entry.data,
            });
        }
    }

    /// Waits, for a moment, until what was logged is in the file.
    pub(crate) async fn flush_log(&self) {
        if let Some(log) = &self.server_log {
            log.flush(LOG_FLUSH).await;
        }
    }
}
