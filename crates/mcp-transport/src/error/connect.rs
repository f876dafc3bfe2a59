//! Why there is no connection.

use std::fmt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use super::drop_reason::{status_text, tail};
use super::request::{notes_text, seconds};
use crate::{DropReason, RequestError};

/// How far a handshake had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// `server/discover` was sent.
    Discover,
    /// `initialize` was sent.
    Initialize,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discover => "before it answered server/discover",
            Self::Initialize => "before it answered initialize",
        })
    }
}

/// Why there is no connection.
///
/// ```
/// # use mcp_transport::ConnectError;
/// fn worth_a_retry(error: &ConnectError) -> bool {
///     !matches!(error, ConnectError::Version { .. })
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The server's process could not be started.
    #[cfg(feature = "stdio")]
    #[error(transparent)]
    Spawn(#[from] crate::process::SpawnError),
    /// The server's process ended during the handshake.
    #[error("server exited ({}) {phase}{}{}", status_text(*status), tail(stderr), hint.as_deref().map(|text| format!("; {text}")).unwrap_or_default())]
    Exited {
        /// How it ended; none if something else in this program took its status.
        status: Option<ExitStatus>,
        /// How far the handshake had come.
        phase: Phase,
        /// The end of what it wrote to standard error, masked.
        stderr: String,
        /// What the exit status of a launcher or a shell usually means, or what it printed that was no message.
        hint: Option<String>,
    },
    /// The server ended its output during the handshake.
    #[error("server closed its output {phase}{}", tail(stderr))]
    Closed {
        /// How far the handshake had come.
        phase: Phase,
        /// The end of what it wrote to standard error, masked.
        stderr: String,
    },
    /// The server did not answer in time.
    #[error("server did not answer within {}, {phase}{}{}", seconds(*after), notes_text(notes), tail(stderr))]
    Timeout {
        /// The limit that was reached.
        after: Duration,
        /// How far the handshake had come.
        phase: Phase,
        /// What else was odd while it was waited for.
        notes: Vec<String>,
        /// The end of what it wrote to standard error, masked.
        stderr: String,
    },
    /// There is no protocol revision that both sides speak.
    #[error(
        "no common protocol version: the server has {}, this client has {}",
        list(theirs),
        list(ours)
    )]
    Version {
        /// What this client speaks, the newest first.
        ours: Vec<String>,
        /// What the server named.
        theirs: Vec<String>,
    },
    /// The server refused the handshake.
    #[error("server refused {method} with error {code}: {message}")]
    Refused {
        /// The request that it refused.
        method: &'static str,
        /// JSON-RPC's code.
        code: i64,
        /// The server's message, masked.
        message: String,
    },
    /// The endpoint cannot be spoken to from this environment.
    #[cfg(feature = "http")]
    #[error(transparent)]
    Endpoint(#[from] crate::EndpointError),
    /// The server speaks the HTTP+SSE transport of 2024-11-05, which is deprecated and not supported.
    #[error(
        "the server speaks the deprecated HTTP+SSE transport (2024-11-05), which is not supported; \
         it may have a Streamable HTTP endpoint at another path, often /mcp instead of /sse"
    )]
    DeprecatedTransport,
    /// The handshake failed in another way.
    #[error(transparent)]
    Request(RequestError),
    /// The connection ended during the handshake in another way.
    #[error("connection dropped {phase}: {reason}")]
    Dropped {
        /// Why it ended; the message tells it, so it is no source.
        reason: Arc<DropReason>,
        /// How far the handshake had come.
        phase: Phase,
    },
}

impl ConnectError {
    /// The end of what the server wrote to standard error, masked.
    pub fn stderr_tail(&self) -> Option<&str> {
        match self {
            Self::Exited { stderr, .. }
            | Self::Closed { stderr, .. }
            | Self::Timeout { stderr, .. } => Some(stderr.as_str()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }
}

fn list(versions: &[String]) -> String {
    if versions.is_empty() {
        "none".to_owned()
    } else {
        versions.join(", ")
    }
}
