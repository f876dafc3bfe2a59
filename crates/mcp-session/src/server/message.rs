//! What the owner of a server is told, and who waits for it.

use tokio::sync::oneshot;

use super::attempt::ServerSpec;
use super::failure::Failure;
use super::shared::Lease;

/// What an exchange asks of a server when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    /// Go on as it is.
    Keep,
    /// The connection settings changed: connect anew, forget the old tools.
    Restart,
    /// Connect again, unless that is happening already: the last attempt failed, or the connection
    /// dropped.
    Again,
}

/// A message to the owner.
#[derive(Debug)]
pub(crate) enum Command {
    /// An exchange begins with these settings. `done` hears when the attempt that this starts has
    /// ended.
    Begin {
        spec: ServerSpec,
        what: Begin,
        done: Option<oneshot::Sender<()>>,
    },
    /// A call needs a connection, or one in place of that of a generation which takes no calls any
    /// more.
    Connect {
        instead_of: Option<u64>,
        reply: oneshot::Sender<Result<Lease, Failure>>,
    },
    /// A person asked for a new connection.
    Refresh,
    /// The entry is gone: let running calls finish, then end.
    Stop,
}

/// Who waits for a running attempt.
#[derive(Debug)]
pub(super) enum Waiter {
    Exchange(oneshot::Sender<()>),
    Call(oneshot::Sender<Result<Lease, Failure>>),
}
