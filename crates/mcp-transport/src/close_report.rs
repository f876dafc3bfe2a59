//! How a connection ended that was closed.

/// How a connection ended that was closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CloseReport {
    /// What ended the server's process, and how it exited; none without a process.
    #[cfg(feature = "stdio")]
    pub ended: Option<crate::process::Ended>,
    /// The end of what the server wrote to standard error, masked.
    pub stderr: String,
}
