//! The end of a session.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::handle::Session;
use super::inner::Inner;
use crate::server::{ServerReport, Shared};

/// The log's last lines get so long to reach the file.
const LOG_PATIENCE: Duration = Duration::from_secs(1);

/// How the servers of a session ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionReport {
    /// One report a server that ran or tried to, by name.
    pub servers: Vec<ServerReport>,
}

impl Session {
    /// Closes the session: interrupts running attempts, then closes all connections side by side,
    /// each within its own bounds, and tells how they ended. Calls that run fail. Closing again
    /// gives the same report; a future that is dropped does not stop the end.
    pub async fn close(&self) -> SessionReport {
        let owners = self.inner.begin_to_close();
        for owner in &owners {
            owner.ended.cancelled().await;
        }
        if let Some(log) = &self.inner.services.log {
            log.flush(LOG_PATIENCE).await;
        }
        self.inner.hub.close();
        let mut servers: Vec<ServerReport> = owners
            .iter()
            .filter_map(|owner| owner.report().cloned())
            .collect();
        servers.sort_by(|a, b| a.server.cmp(&b.server));
        SessionReport { servers }
    }
}

impl Inner {
    fn begin_to_close(&self) -> Vec<Arc<Shared>> {
        let state = self.state();
        self.closing.cancel();
        state
            .servers
            .values()
            .map(|handle| &handle.shared)
            .chain(&state.leaving)
            .cloned()
            .collect()
    }
}
