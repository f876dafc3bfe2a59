//! The states of a server, in the words that a person reads.

use std::fmt;

use serde::Serialize;

/// Where a configured server stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ServerState {
    /// An attempt to connect is running.
    Connecting,
    /// Connected, and its tools are known.
    Ready,
    /// The connection ended without us. The next call, or the next exchange, brings it back.
    Dropped,
    /// It could not be connected. The next exchange tries again.
    Failed,
    /// The configuration switches it off.
    Disabled,
    /// A layer that is not trusted brought it, and nobody has approved it.
    AwaitingApproval,
    /// Removed or closing; what runs on it may still finish.
    Stopping,
    /// Gone.
    Stopped,
}

impl fmt::Display for ServerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ServerState::Connecting => "connecting",
            ServerState::Ready => "ready",
            ServerState::Dropped => "dropped",
            ServerState::Failed => "failed",
            ServerState::Disabled => "disabled",
            ServerState::AwaitingApproval => "awaiting approval",
            ServerState::Stopping => "stopping",
            ServerState::Stopped => "stopped",
        })
    }
}
