//! Why a server is not there, in a form that status, calls and the log can all show: masked, cheap
//! to share, with its causes already told.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use super::failure_kind::FailureKind;

/// The outcome of an attempt that failed, or of a connection that was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) message: Arc<str>,
    pub(crate) kind: FailureKind,
    /// The last lines of a process's standard error, where they are not in the message already.
    pub(crate) stderr_tail: Option<Arc<str>>,
    /// It is the session that ended, not the server.
    pub(crate) closed: bool,
}

impl Failure {
    pub(crate) fn new(message: impl Into<Arc<str>>) -> Failure {
        Failure {
            message: message.into(),
            kind: FailureKind::Other,
            stderr_tail: None,
            closed: false,
        }
    }

    /// The error and its causes in one line, each said once.
    pub(crate) fn of(error: &(dyn Error + 'static)) -> Failure {
        Failure::new(chain(error))
    }

    pub(crate) fn of_kind(mut self, kind: impl Into<FailureKind>) -> Failure {
        self.kind = kind.into();
        self
    }

    pub(crate) fn with_stderr(mut self, tail: Option<&str>) -> Failure {
        self.stderr_tail = tail.filter(|tail| !tail.trim().is_empty()).map(Arc::from);
        self
    }

    #[cfg(feature = "http")]
    pub(crate) fn with_hint(mut self, hint: &str) -> Failure {
        self.message = format!("{}; {hint}", self.message).into();
        self
    }

    /// The server's entry is gone.
    pub(crate) fn removed() -> Failure {
        Failure::new("the server was removed from the configuration")
    }

    /// The session is closed, or the server's owner has ended.
    pub(crate) fn closed() -> Failure {
        Failure {
            closed: true,
            ..Failure::new("the session is closed")
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// An error with its causes, skipping a cause that its parent already says.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut out = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !out.contains(&text) {
            out.push_str(": ");
            out.push_str(&text);
        }
        next = cause.source();
    }
    out
}
