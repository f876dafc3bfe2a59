//! What happens around the model: files, variables, gates and processes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Laid;

/// One event.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Event {
    /// Opens a gate that a server waits at.
    Open(String),
    /// Writes or replaces files: `user`, `project`, or paths in the sandbox.
    Write(BTreeMap<String, Laid>),
    /// Removes a file: `user`, `project`, or a path in the sandbox.
    Remove(String),
    /// Sets variables of the host; `null` removes one.
    Set(BTreeMap<String, Option<String>>),
    /// Starts a web server again, on the port that it had.
    Start(String),
    /// Ends a web server.
    Stop(String),
    /// Kills a server's process; its script must journal `pid`.
    Kill(Kill),
    /// Forgets what a server's commands printed, and reconnects it.
    Refresh(String),
    /// Waits until something is so.
    Await(Await),
}

/// Which process to kill, and how.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Kill {
    /// The server, by the name of its script.
    pub server: String,
    /// Kill its whole process group.
    #[serde(default)]
    pub group: bool,
    /// The signal.
    #[serde(default)]
    pub signal: Signal,
}

/// The signals that a scenario may send.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub enum Signal {
    /// Ends the process at once.
    #[default]
    #[serde(rename = "SIGKILL")]
    Kill,
    /// Asks the process to end.
    #[serde(rename = "SIGTERM")]
    Terminate,
    /// Stops the process until it is continued.
    #[serde(rename = "SIGSTOP")]
    Stop,
}

/// What to wait for; bounded by the trial's time limit.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Await {
    /// A server opened this gate.
    Gate(String),
    /// A server wrote something into its journal.
    Journal(AwaitJournal),
    /// The session shows a server in a state.
    State(AwaitState),
}

/// What a journal must hold.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AwaitJournal {
    /// The server, by the name of its script.
    pub server: String,
    /// A method it received, an HTTP method (`GET`), a signal (`SIGTERM`), `start`, `eof` or `exit`.
    pub saw: String,
    /// How often, at least.
    #[serde(default = "once")]
    pub times: usize,
}

fn once() -> usize {
    1
}

/// The state that a server must reach.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AwaitState {
    /// The server, by its name in the configuration.
    pub server: String,
    /// The state: `connecting`, `ready`, `dropped`, `failed`, …; `gone` for a server that was removed.
    pub is: String,
    /// How many tools it must have.
    pub tools: Option<usize>,
    /// How often its tools must have been listed, at least.
    pub listings: Option<u64>,
    /// How often it must have been connected anew, at least.
    pub restarts: Option<u32>,
}
