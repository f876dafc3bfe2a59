//! Why a handler has no answer for the server.

use std::fmt;

/// Why a handler has no answer; the server is told code and message.
///
/// ```
/// let error = mcp_transport::HandlerError::new("no user is present");
/// assert_eq!(error.code, -32603);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HandlerError {
    /// JSON-RPC's code.
    pub code: i64,
    /// What the server is told.
    pub message: String,
}

impl HandlerError {
    /// An internal error.
    pub fn new(message: impl Into<String>) -> Self {
        Self::with_code(-32603, message)
    }

    /// An error of another code.
    pub fn with_code(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

impl fmt::Display for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for HandlerError {}
