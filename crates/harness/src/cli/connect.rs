//! A session with all configured servers, for the commands that talk to real ones.

use std::process::ExitCode;
use std::time::Duration;

use mcp_session::{Exchange, Session};
use mcp_transport::ClientInfo;

use super::args::{StartArgs, WaitArgs};
use super::exit::{CommandError, FAILED};
use super::host::{Host, complain};
use super::select::Selection;
use super::signals::Signals;
use super::waiting::{Tell, watched};
use crate::chain::chain;

/// Commands in values may take so long, and then they are ended.
const COMMANDS: Duration = Duration::from_secs(35);

/// How servers are waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    pub(super) tell: Tell,
    /// The most that the handshake of a server may take, and its list again.
    pub(super) limit: Duration,
}

/// Connects every server, lets `work` use an exchange of the session, and closes it. A signal ends
/// everything at once.
pub(super) fn connected(
    start: &StartArgs,
    wait: WaitArgs,
    host: &Host,
    work: impl AsyncFnOnce(&Session, &Exchange) -> Result<ExitCode, CommandError>,
) -> Result<ExitCode, CommandError> {
    let wait = Wait {
        tell: Tell::Waits,
        limit: wait.limit(),
    };
    with_session(Selection::to_start(start, host)?, host, wait, work)
}

/// The same for a selection, however it came about.
pub(super) fn with_session(
    selection: Selection,
    host: &Host,
    wait: Wait,
    work: impl AsyncFnOnce(&Session, &Exchange) -> Result<ExitCode, CommandError>,
) -> Result<ExitCode, CommandError> {
    if selection.home.is_none() {
        complain(
            "HOME is not set, so what servers write to standard error is logged nowhere; --home DIR names a folder",
        );
    }
    let signals = Signals::listen();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let session = build(selection, host, wait);
        let mut stop = signals.stop();
        let done = tokio::select! {
            done = with_exchange(&session, host, wait, work) => done,
            // The listener lives as long as the process.
            _ = stop.wait_for(|stop| *stop) => Ok(ExitCode::from(FAILED)),
        };
        session.close().await;
        done.map(|code| signals.code().map_or(code, ExitCode::from))
    })
}

async fn with_exchange(
    session: &Session,
    host: &Host,
    wait: Wait,
    work: impl AsyncFnOnce(&Session, &Exchange) -> Result<ExitCode, CommandError>,
) -> Result<ExitCode, CommandError> {
    let exchange = watched(session, host, wait.tell, session.begin_exchange())
        .await
        .map_err(|error| CommandError::usage(chain(&error)))?;
    work(session, &exchange).await
}

fn build(selection: Selection, host: &Host, wait: Wait) -> Session {
    let builder = Session::builder();
    let builder = match selection.home {
        Some(home) => builder.home(home),
        None => builder,
    };
    builder
        .layers(selection.layers)
        .base(selection.base)
        .environment(host.environment())
        .client_info(ClientInfo::new("mcp-harness", env!("CARGO_PKG_VERSION")))
        // An exchange does not wait for servers whose tools are all hidden; a person wants to see them.
        .wait_for_hidden(true)
        .start_limit(wait.limit)
        .initial_wait(COMMANDS + wait.limit * 2)
        .build()
}
