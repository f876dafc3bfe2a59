//! Why a connection ended that we did not close.

use std::io;
use std::process::ExitStatus;

/// Why a connection ended that we did not close.
///
/// ```
/// # fn show(reason: &mcp_transport::DropReason) {
/// println!("{reason}"); // server exited (exit status: 7); stderr: fatal: boom
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DropReason {
    /// The server's process ended.
    #[error("server exited ({}){}", status_text(*status), tail(stderr))]
    Exited {
        /// How it ended; none if something else in this program took its status.
        status: Option<ExitStatus>,
        /// The end of what it wrote to standard error, masked.
        stderr: String,
    },
    /// The server ended its output, but its process lives on.
    #[error("server closed its output{}", tail(stderr))]
    ClosedOutput {
        /// The end of what it wrote to standard error, masked.
        stderr: String,
    },
    /// The server sent a message larger than is taken.
    #[error("message larger than {} MiB", limit / (1024 * 1024))]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// Reading from the server failed.
    #[error("reading from the server failed: {0}")]
    Read(io::Error),
    /// Writing to the server failed.
    #[error("the server takes no more input ({cause}){}", tail(stderr))]
    Write {
        /// What the system said.
        cause: io::Error,
        /// The end of what it wrote to standard error, masked.
        stderr: String,
    },
}

impl DropReason {
    /// How the server's process ended, if it did.
    pub fn status(&self) -> Option<ExitStatus> {
        match self {
            Self::Exited { status, .. } => *status,
            _ => None,
        }
    }

    /// The end of what the server wrote to standard error, masked.
    pub fn stderr_tail(&self) -> Option<&str> {
        match self {
            Self::Exited { stderr, .. }
            | Self::ClosedOutput { stderr }
            | Self::Write { stderr, .. } => Some(stderr)
                .filter(|tail| !tail.is_empty())
                .map(String::as_str),
            Self::TooLarge { .. } | Self::Read(_) => None,
        }
    }
}

pub(super) fn status_text(status: Option<ExitStatus>) -> String {
    status.map_or_else(
        || "exit status unknown".to_owned(),
        |status| status.to_string(),
    )
}

/// The stderr part of a message: nothing if there is none.
pub(super) fn tail(stderr: &str) -> String {
    match stderr.trim_end() {
        "" => String::new(),
        text => format!("; stderr: {text}"),
    }
}
