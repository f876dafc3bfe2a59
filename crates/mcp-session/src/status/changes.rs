//! The stream of state changes.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::server_status::ServerStatus;
use crate::session::Inner;

/// Hears of each change of a server's status. It keeps no session alive.
///
/// Changes that follow each other quickly may be told as one, with the status as it is when it is
/// told.
///
/// ```
/// # async fn watch(session: mcp_session::Session) {
/// let mut changes = session.changes();
/// while let Some(status) = changes.next().await {
///     println!("{} is {}", status.server, status.state);
/// }
/// # }
/// ```
#[derive(Debug)]
pub struct StatusChanges {
    session: Weak<Inner>,
    names: Option<broadcast::Receiver<Arc<str>>>,
    /// Servers to tell of before listening again.
    queued: VecDeque<Arc<str>>,
}

impl StatusChanges {
    pub(crate) fn new(session: &Arc<Inner>) -> StatusChanges {
        StatusChanges {
            session: Arc::downgrade(session),
            names: session.hub.listen(),
            queued: VecDeque::new(),
        }
    }

    /// The next server that changed, as it is now; nothing once the session is closed. Cancel-safe.
    pub async fn next(&mut self) -> Option<ServerStatus> {
        loop {
            let name = match self.queued.pop_front() {
                Some(name) => name,
                None => match self.names.as_mut()?.recv().await {
                    Ok(name) => name,
                    Err(RecvError::Closed) => return None,
                    Err(RecvError::Lagged(_)) => {
                        self.queued = self.session.upgrade()?.names().into();
                        continue;
                    }
                },
            };
            if let Some(status) = self.session.upgrade()?.status_of(&name) {
                return Some(status);
            }
        }
    }
}
