//! Why a request has no result.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;

use crate::DropReason;

/// Why a request has no result.
///
/// ```
/// # use mcp_transport::RequestError;
/// fn may_have_run(error: &RequestError) -> bool {
///     match error {
///         RequestError::Dropped { sent, .. } => *sent,
///         RequestError::TooLarge { .. } => false,
///         _ => true,
///     }
/// }
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// No answer in time.
    #[error("no answer to {method} within {}{}", seconds(*after), notes_text(notes))]
    Timeout {
        /// The request.
        method: &'static str,
        /// The limit that was reached.
        after: Duration,
        /// What else was odd while it was waited for, such as answers with an unexpected id.
        notes: Vec<String>,
    },
    /// The caller gave the request up.
    #[error("{method} was cancelled")]
    Cancelled {
        /// The request.
        method: &'static str,
    },
    /// The server gave the request up.
    #[error("the server cancelled {method}{}", reason.as_deref().map(|text| format!(": {text}")).unwrap_or_default())]
    CancelledByServer {
        /// The request.
        method: &'static str,
        /// What the server said.
        reason: Option<String>,
    },
    /// The connection ended before the answer came.
    #[error("connection dropped: {reason}; {}", if *sent { "the outcome of the request is unknown" } else { "the request was not sent" })]
    Dropped {
        /// Why the connection ended; the message tells it, so it is no source.
        reason: Arc<DropReason>,
        /// Whether the server may have seen the request.
        sent: bool,
    },
    /// We closed the connection.
    #[error("the connection is closed")]
    Closed,
    /// The answer is not what the method promises.
    #[error("Invalid result for {method}: {path}: {message}")]
    InvalidResult {
        /// The request.
        method: &'static str,
        /// Where in the result.
        path: String,
        /// What is wrong there.
        message: String,
    },
    /// The server answered with an error.
    #[error("server error {code}{}", text(message))]
    Server {
        /// JSON-RPC's code.
        code: i64,
        /// The server's message, masked.
        message: String,
        /// What the server added, masked.
        data: Option<Box<RawValue>>,
        /// The status of the HTTP answer that held the error, if it was not a success.
        http_status: Option<u16>,
    },
    /// The HTTP session is no longer known to the server. The connection is of no further use.
    #[error("the HTTP session has expired; {}", if *refused { "the request did not run" } else { "the outcome of the request is unknown" })]
    SessionExpired {
        /// The request.
        method: &'static str,
        /// The server refused the request before running it, so it may be sent once more on a new session.
        refused: bool,
    },
    /// The server wants other credentials. The request did not run.
    #[cfg(feature = "http")]
    #[error("{refusal}")]
    NeedsAuth {
        /// The request.
        method: &'static str,
        /// The answer.
        refusal: Box<crate::Refusal>,
    },
    /// The HTTP answer is no answer of MCP.
    #[error("HTTP {status} to {method}: {message}")]
    Http {
        /// The request.
        method: &'static str,
        /// The status.
        status: u16,
        /// The media type, and a short excerpt of the body, masked.
        message: String,
    },
    /// The server could not be reached, or the exchange with it broke off.
    #[error("{message}; {}", if *sent { "the outcome of the request is unknown" } else { "the request was not sent" })]
    Network {
        /// The request.
        method: &'static str,
        /// What went wrong.
        message: String,
        /// The sort of it.
        cause: NetworkFailure,
        /// Whether the server may have seen the request.
        sent: bool,
    },
    /// The request is larger than a message may be; nothing of it was sent.
    #[error(
        "{method} of {size} bytes is larger than a message may be ({limit} bytes); it was not sent"
    )]
    TooLarge {
        /// The request.
        method: &'static str,
        /// Its size in bytes.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The request would have to be sent with something that is not to be had: input that the server asked for, or
    /// a header.
    #[error("{method} was not completed: {message}")]
    Input {
        /// The request.
        method: &'static str,
        /// What is missing, and why.
        message: String,
    },
}

/// What keeps an endpoint from being reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NetworkFailure {
    /// The name of the host has no address, or none could be asked for.
    Dns,
    /// No secure channel came about, mostly for the certificate.
    Tls,
    /// Nothing listens there, the way is closed, or the exchange broke off.
    Connection,
}

impl RequestError {
    pub(crate) fn invalid(
        method: &'static str,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self::InvalidResult {
            method,
            path: path.into(),
            message: message.into(),
        }
    }
}

/// A server's message behind a colon, if it has one.
fn text(message: &str) -> String {
    if message.is_empty() {
        String::new()
    } else {
        format!(": {message}")
    }
}

pub(super) fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

pub(super) fn notes_text(notes: &[String]) -> String {
    if notes.is_empty() {
        String::new()
    } else {
        format!(" ({})", notes.join("; "))
    }
}
