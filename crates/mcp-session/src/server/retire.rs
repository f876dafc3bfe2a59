//! The end of a connection that is not wanted any more: running calls may finish, then it is
//! closed.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_transport::CloseReport;
#[cfg(feature = "stdio")]
use mcp_transport::process::EndStep;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::shared::Live;

/// How one server ended when the session was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerReport {
    /// The server's name in the configuration.
    pub server: String,
    /// How its last connection ended.
    pub shutdown: Shutdown,
    /// The exit status of its process, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// The step at which a server let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Shutdown {
    /// There was no connection; a running attempt was interrupted.
    NotConnected,
    /// The connection closed and no process had to be ended.
    Closed,
    /// The process ended by itself once its input ended.
    Exited,
    /// The process needed SIGTERM.
    Terminated,
    /// The process needed SIGKILL.
    Killed,
    /// The process outlived even SIGKILL for as long as we waited.
    Stuck,
}

/// Closes a connection that has been taken out of the snapshot. Calls that run on it get `patience`
/// to finish, unless the session closes meanwhile.
pub(super) async fn retire(
    live: Arc<Live>,
    patience: Duration,
    closing: CancellationToken,
) -> CloseReport {
    live.calls.close();
    tokio::select! {
        () = live.calls.wait() => {}
        () = tokio::time::sleep(patience) => {}
        () = closing.cancelled() => {}
    }
    live.connection.close().await
}

impl Live {
    /// From here on no new call takes this connection.
    pub(super) fn mark_retired(&self) {
        self.retired.store(true, Ordering::SeqCst);
    }
}

impl ServerReport {
    pub(super) fn new(server: &str, close: Option<&CloseReport>) -> ServerReport {
        ServerReport {
            server: server.to_owned(),
            shutdown: close.map_or(Shutdown::NotConnected, Shutdown::of),
            status: close.and_then(status),
        }
    }
}

#[cfg(feature = "stdio")]
fn status(close: &CloseReport) -> Option<String> {
    let status = close.ended.as_ref()?.status?;
    Some(status.to_string())
}

/// Without processes there is no status.
#[cfg(not(feature = "stdio"))]
fn status(_close: &CloseReport) -> Option<String> {
    None
}

impl Shutdown {
    #[cfg(not(feature = "stdio"))]
    fn of(_close: &CloseReport) -> Shutdown {
        Shutdown::Closed
    }

    #[cfg(feature = "stdio")]
    fn of(close: &CloseReport) -> Shutdown {
        let Some(ended) = &close.ended else {
            return Shutdown::Closed;
        };
        match ended.step {
            EndStep::Exited => Shutdown::Exited,
            EndStep::Terminated => Shutdown::Terminated,
            EndStep::Killed => Shutdown::Killed,
            _ => Shutdown::Stuck,
        }
    }
}
