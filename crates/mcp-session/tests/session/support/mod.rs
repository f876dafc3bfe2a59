//! Scripted servers on in-memory pipes, and a sandbox with configuration files for a session over
//! them.

pub(crate) mod dice;
mod peer;
pub(crate) mod sandbox;

pub(crate) use peer::{Fleet, Plan};
pub(crate) use sandbox::Sandbox;

use mcp_session::{Exchange, ServerState, Session};

/// The names of the tools that the model sees.
pub(crate) fn names(exchange: &Exchange) -> Vec<&str> {
    exchange
        .tools()
        .iter()
        .map(mcp_session::ToolDefinition::name)
        .collect()
}

/// Waits until a server has reached a state; paused time makes waiting for ever a failure of the
/// test's runtime.
pub(crate) async fn reach(session: &Session, server: &str, state: ServerState) {
    until(session, server, |status| status.state == state).await;
}

/// Waits until a server's status answers to `wanted`.
pub(crate) async fn until(
    session: &Session,
    server: &str,
    wanted: impl Fn(&mcp_session::ServerStatus) -> bool,
) {
    let mut changes = session.changes();
    if session
        .status()
        .iter()
        .any(|status| status.server == server && wanted(status))
    {
        return;
    }
    loop {
        let status = changes
            .next()
            .await
            .expect("the session was closed meanwhile");
        if status.server == server && wanted(&status) {
            return;
        }
    }
}

/// The state of a server now.
pub(crate) fn state(session: &Session, server: &str) -> ServerState {
    let statuses = session.status();
    let status = statuses.iter().find(|status| status.server == server);
    status.unwrap_or_else(|| panic!("no server {server}")).state
}
