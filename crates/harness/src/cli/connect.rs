//! A session with all configured servers, for the commands that talk to real ones.

use std::process::ExitCode;
use std::time::Duration;

use mcp_session::{Exchange, ServerState, Session};
use mcp_transport::ClientInfo;

use super::args::SelectArgs;
use super::exit::{CommandError, FAILED};
use super::host::Host;
use super::select::Selection;
use super::signals::Signals;
use crate::chain::chain;

/// A person who asked for one answer waits as long as the servers themselves may take.
const WAIT: Duration = Duration::from_mins(2);

/// Connects every server, lets `work` use an exchange of the session, and closes it. A signal ends
/// everything at once.
pub(super) fn connected(
    select: &SelectArgs,
    host: &Host,
    work: impl AsyncFnOnce(&Session, &Exchange) -> Result<ExitCode, CommandError>,
) -> Result<ExitCode, CommandError> {
    let selection = Selection::to_start(select, host)?;
    let signals = Signals::listen();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let session = build(selection, host);
        let mut stop = signals.stop();
        let done = tokio::select! {
            done = with_exchange(&session, work) => done,
            // The listener lives as long as the process.
            _ = stop.wait_for(|stop| *stop) => Ok(ExitCode::from(FAILED)),
        };
        session.close().await;
        done.map(|code| signals.code().map_or(code, ExitCode::from))
    })
}

async fn with_exchange(
    session: &Session,
    work: impl AsyncFnOnce(&Session, &Exchange) -> Result<ExitCode, CommandError>,
) -> Result<ExitCode, CommandError> {
    let mut exchange = begin(session).await?;
    // Servers whose tools are all hidden are not waited for by an exchange; a person wants to see them.
    if settle(session).await {
        exchange.finish();
        exchange = begin(session).await?;
    }
    work(session, &exchange).await
}

async fn begin(session: &Session) -> Result<Exchange, CommandError> {
    session
        .begin_exchange()
        .await
        .map_err(|error| CommandError::usage(chain(&error)))
}

/// Waits until no server is connecting; whether there was one.
async fn settle(session: &Session) -> bool {
    let mut changes = session.changes();
    let mut waited = false;
    let connecting = || {
        session
            .status()
            .iter()
            .any(|status| matches!(status.state, ServerState::Connecting))
    };
    while connecting() {
        waited = true;
        if changes.next().await.is_none() {
            break;
        }
    }
    waited
}

fn build(selection: Selection, host: &Host) -> Session {
    Session::builder()
        .layers(selection.layers)
        .home(selection.home)
        .base(selection.base)
        .environment(host.environment())
        .client_info(ClientInfo::new("mcp-harness", env!("CARGO_PKG_VERSION")))
        .initial_wait(WAIT)
        .build()
}
