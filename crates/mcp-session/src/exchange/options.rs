//! What a host may settle for one call.

use std::fmt;
use std::sync::Arc;

use mcp_transport::Progress;
use tokio_util::sync::CancellationToken;

/// What a host may settle for one call; the limits of time are the configuration's.
///
/// ```
/// use mcp_session::CallOptions;
/// use tokio_util::sync::CancellationToken;
///
/// let stop = CancellationToken::new();
/// let options = CallOptions::new().cancel(stop.clone()).on_progress(|progress| drop(progress.message));
/// # drop(options);
/// ```
#[derive(Clone, Default)]
pub struct CallOptions {
    pub(super) cancel: Option<CancellationToken>,
    on_progress: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

impl CallOptions {
    /// No cancellation, no progress.
    pub fn new() -> CallOptions {
        CallOptions::default()
    }

    /// Ends the call when the token is cancelled; dropping the call's future does the same.
    #[must_use]
    pub fn cancel(mut self, token: CancellationToken) -> CallOptions {
        self.cancel = Some(token);
        self
    }

    /// Is told of progress while the call runs.
    #[must_use]
    pub fn on_progress(
        mut self,
        callback: impl Fn(Progress) + Send + Sync + 'static,
    ) -> CallOptions {
        self.on_progress = Some(Arc::new(callback));
        self
    }

    /// These wishes on top of the limits in `options`.
    pub(super) fn on(&self, options: mcp_transport::CallOptions) -> mcp_transport::CallOptions {
        match self.on_progress.clone() {
            Some(callback) => options.on_progress(move |progress| callback(progress)),
            None => options,
        }
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions").finish_non_exhaustive()
    }
}
