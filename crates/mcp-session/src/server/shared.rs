//! What everyone but the owner sees of a server: an immutable snapshot, and a line to the owner.
//! A call takes its connection from the snapshot without waiting for anybody.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwap;
use mcp_transport::Connection;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::failure::Failure;
use super::listing::ToolList;
use super::message::Command;
use super::retire::ServerReport;
use super::stages::Stages;
use super::state::ServerState;

/// A server at one moment.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) state: ServerState,
    pub(crate) since: Instant,
    pub(crate) live: Option<Arc<Live>>,
    /// The newest listing; it stays while a dropped connection is brought back.
    pub(crate) tools: Option<Arc<ToolList>>,
    pub(crate) failure: Option<Failure>,
    /// Connections made after the first one.
    pub(crate) restarts: u32,
    /// Listings taken, whether or not they brought anything new.
    pub(crate) listings: u64,
    /// A line that the current connection's server printed and that was no message, masked.
    pub(crate) noise: Option<Arc<str>>,
    /// How far the newest attempt has come.
    pub(crate) stages: Option<Arc<Stages>>,
    /// The next exchange should have the tools listed again.
    pub(crate) in_doubt: bool,
}

/// One connection while it is, or was, the current one.
pub(crate) struct Live {
    pub(crate) connection: Connection,
    /// Tells one connection of this server from the next.
    pub(crate) generation: u64,
    /// Calls that run on it; a replaced connection closes when the last is done.
    pub(super) calls: TaskTracker,
    pub(super) retired: AtomicBool,
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live")
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}

impl Live {
    pub(super) fn lease(self: &Arc<Self>) -> Lease {
        Lease {
            live: Arc::clone(self),
            _running: self.calls.token(),
        }
    }

    pub(super) fn new(connection: Connection, generation: u64) -> Live {
        Live {
            connection,
            generation,
            calls: TaskTracker::new(),
            retired: AtomicBool::new(false),
        }
    }
}

/// The right to use a connection: while it is held, the connection is not closed for being
/// replaced.
#[derive(Debug)]
pub(crate) struct Lease {
    pub(crate) live: Arc<Live>,
    _running: TaskTrackerToken,
}

/// The handle of a server; its owner task is the only writer.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) name: Arc<str>,
    pub(super) view: ArcSwap<View>,
    pub(super) owner: mpsc::UnboundedSender<Command>,
    /// Cancelled when the owner has ended, however it did.
    pub(crate) ended: CancellationToken,
    pub(super) report: OnceLock<ServerReport>,
}

impl Shared {
    pub(crate) fn view(&self) -> Arc<View> {
        self.view.load_full()
    }

    /// The current connection; a dropped one is brought back first.
    pub(crate) async fn lease(&self) -> Result<Lease, Failure> {
        match self.current() {
            Some(lease) => Ok(lease),
            None => self.connected(None).await,
        }
    }

    /// A connection in place of that of `generation`, which takes no calls any more.
    pub(crate) async fn replaced(&self, generation: u64) -> Result<Lease, Failure> {
        self.connected(Some(generation)).await
    }

    fn current(&self) -> Option<Lease> {
        let lease = self.view.load().live.as_ref()?.lease();
        // In this order: whoever retires the connection sets the mark first and waits for the
        // leases afterwards, so either it sees our lease or we see its mark.
        let live = &lease.live;
        let usable = !live.retired.load(Ordering::SeqCst) && !live.connection.dropped();
        usable.then_some(lease)
    }

    /// The owner itself leases the connection that it makes, so that none is replaced before a call
    /// that waited for it could look.
    async fn connected(&self, instead_of: Option<u64>) -> Result<Lease, Failure> {
        let (reply, answer) = oneshot::channel();
        self.tell(Command::Connect { instead_of, reply });
        answer.await.unwrap_or_else(|_| Err(Failure::closed()))
    }

    /// Leaves a message to the owner; one that has ended needs none.
    pub(crate) fn tell(&self, command: Command) {
        let _ = self.owner.send(command);
    }

    /// How the server's connections ended, once the owner has.
    pub(crate) fn report(&self) -> Option<&ServerReport> {
        self.report.get()
    }
}
