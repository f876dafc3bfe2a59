//! What a caller may settle for one call.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// How far a request has come, as the server says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How much is done.
    pub progress: f64,
    /// How much there is, if the server knows.
    pub total: Option<f64>,
    /// A line for people.
    pub message: Option<String>,
}

/// What a caller may settle for one call. By default the connection's limits hold.
///
/// ```
/// use std::time::Duration;
/// use mcp_transport::CallOptions;
///
/// let options = CallOptions::new()
///     .timeout(Duration::from_secs(5))
///     .on_progress(|progress| tracing::info!(done = progress.progress, "still at work"));
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_total: Option<Duration>,
    pub(crate) cancel: Option<CancellationToken>,
    pub(crate) on_progress: Option<ProgressCallback>,
}

impl CallOptions {
    /// The connection's limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// How long the server may be silent; its progress begins the time anew.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// How long the call may take altogether.
    #[must_use]
    pub fn max_total(mut self, max_total: Duration) -> Self {
        self.max_total = Some(max_total);
        self
    }

    /// Ends the call when the token is cancelled. Dropping the call's future does the same.
    #[must_use]
    pub fn cancel(mut self, token: CancellationToken) -> Self {
        self.cancel = Some(token);
        self
    }

    /// Is told of progress, in the caller's own task and in order.
    #[must_use]
    pub fn on_progress(mut self, callback: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.on_progress = Some(ProgressCallback(Arc::new(callback)));
        self
    }
}

#[derive(Clone)]
pub(crate) struct ProgressCallback(Arc<dyn Fn(Progress) + Send + Sync>);

impl ProgressCallback {
    pub(crate) fn call(&self, progress: Progress) {
        (self.0)(progress);
    }
}

impl fmt::Debug for ProgressCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressCallback")
    }
}
