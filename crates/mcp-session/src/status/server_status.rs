//! One server's status.

use std::time::Duration;

use serde::Serialize;

use super::notes::{Names, notes};
use crate::server::{FailureKind, ServerState, StageTime, View};

/// Where one server stands. Nothing in it is secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ServerStatus {
    /// The server's name in the configuration.
    pub server: String,
    /// The state.
    pub state: ServerState,
    /// How long it has been in this state.
    #[serde(skip)]
    pub elapsed: Duration,
    /// How client and server speak: `initialize` or `2026-07-28`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub era: Option<String>,
    /// The protocol version that was agreed on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What the server says it is, `name version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implementation: Option<String>,
    /// How many tools it listed.
    pub tools: usize,
    /// What a person should know about its lists, schemas and names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Why it failed or dropped; while it connects again, why it had to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What sort of failure that was; hosts say by it what to do.
    #[serde(skip)]
    pub failure: Option<FailureKind>,
    /// How far the newest attempt to connect has come, and what its stages took.
    #[serde(skip)]
    pub stages: Vec<StageTime>,
    /// The last lines of its standard error at that moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
    /// Connections made after the first one.
    pub restarts: u32,
    /// How often its tools were listed.
    pub listings: u64,
}

impl ServerStatus {
    /// A server that has no owner: switched off, failed before it could start, or not approved.
    pub(crate) fn absent(server: &str, state: ServerState, error: Option<String>) -> ServerStatus {
        ServerStatus {
            server: server.to_owned(),
            state,
            elapsed: Duration::ZERO,
            era: None,
            version: None,
            implementation: None,
            tools: 0,
            notes: Vec::new(),
            failure: error.as_ref().map(|_| FailureKind::Entry),
            error,
            stages: Vec::new(),
            stderr_tail: None,
            restarts: 0,
            listings: 0,
        }
    }

    pub(crate) fn of(server: &str, view: &View, names: Option<&Names>) -> ServerStatus {
        let info = view.live.as_ref().map(|live| live.connection.server());
        let implementation = info.and_then(|info| {
            let words: Vec<&str> = info
                .name
                .iter()
                .chain(&info.version)
                .map(String::as_str)
                .collect();
            (!words.is_empty()).then(|| words.join(" "))
        });
        ServerStatus {
            state: view.state,
            elapsed: view.since.elapsed(),
            era: info.map(|info| info.era.to_string()),
            version: info.map(|info| info.protocol_version.to_string()),
            implementation,
            tools: view.tools.as_ref().map_or(0, |tools| tools.len()),
            notes: notes(server, view, names),
            error: view
                .failure
                .as_ref()
                .map(|failure| failure.message.to_string()),
            failure: view.failure.as_ref().map(|failure| failure.kind),
            stages: view
                .stages
                .as_ref()
                .map(|stages| stages.times())
                .unwrap_or_default(),
            stderr_tail: view
                .failure
                .as_ref()
                .and_then(|failure| failure.stderr_tail.as_deref().map(str::to_owned)),
            restarts: view.restarts,
            listings: view.listings,
            ..ServerStatus::absent(server, view.state, None)
        }
    }
}
