//! What an examination finds, in the form that `--json` prints; the README lists the members.

use std::collections::BTreeMap;
use std::path::Path;

use mcp_config::{Config, Problem, ServerEntry};
use mcp_session::{
    Exchange, FailureKind, ServerState, ServerStatus, Session, Stage, StageTime, ToolStatus,
};
use serde::{Serialize, Serializer};

use super::advice::{Case, advice};
use super::verdict::exit_code;
use crate::cli::host::Host;
use crate::cli::tools::{error_below, server_tokens};

/// All servers, and what is wrong with the files.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Checkup {
    pub(super) servers: BTreeMap<String, Server>,
    pub(super) problems: Vec<Problem>,
    pub(super) exit_code: u8,
}

/// One server.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Server {
    pub(super) state: ServerState,
    pub(super) transport: Option<&'static str>,
    /// Layer, file, line and column of its entry.
    pub(super) configured: String,
    pub(super) implementation: Option<String>,
    pub(super) era: Option<String>,
    pub(super) version: Option<String>,
    pub(super) tools: usize,
    pub(super) hidden: usize,
    pub(super) tokens: usize,
    #[serde(serialize_with = "milliseconds")]
    pub(super) stages: Vec<StageTime>,
    pub(super) notes: Vec<String>,
    pub(super) failure: Option<FailureKind>,
    pub(super) error: Option<String>,
    pub(super) stderr: Option<String>,
    /// What to do, one step an item.
    pub(super) advice: Vec<String>,
}

impl Server {
    /// Whether nothing has to be done about it.
    pub(super) fn is_well(&self) -> bool {
        matches!(self.state, ServerState::Ready | ServerState::Disabled)
    }
}

impl Checkup {
    pub(super) fn new(
        config: &Config,
        session: &Session,
        exchange: &Exchange,
        host: &Host,
        base: &Path,
    ) -> Checkup {
        let tools = session.tools();
        let schema_notes = session.schema_notes();
        let mut servers = BTreeMap::new();
        for status in session.status() {
            let Some(configured) = config.get(&status.server) else {
                continue;
            };
            let own: Vec<&ToolStatus> = tools
                .iter()
                .filter(|tool| tool.server() == status.server)
                .collect();
            let case = Case {
                config,
                configured,
                status: &status,
                environment: &host.environment(),
                base,
            };
            let server = Server {
                state: status.state,
                transport: entry(config, &status.server).map(|entry| entry.transport().kind()),
                configured: configured.origin().to_string(),
                hidden: own.iter().filter(|tool| tool.name().is_none()).count(),
                tokens: server_tokens(&own),
                notes: notes(&status, exchange, &schema_notes),
                failure: failure(&status),
                error: error_below(&status)
                    .map(str::to_owned)
                    .or_else(|| unanswered(&status)),
                stderr: status.stderr_tail.clone(),
                advice: advice(&case),
                implementation: status.implementation,
                era: status.era,
                version: status.version,
                tools: status.tools,
                stages: status.stages,
            };
            servers.insert(status.server, server);
        }
        Checkup {
            exit_code: exit_code(config.has_errors(), &servers),
            problems: config.problems().to_vec(),
            servers,
        }
    }
}

/// The entry of a server, also of one that waits for approval.
pub(in crate::cli) fn entry<'c>(config: &'c Config, server: &str) -> Option<&'c ServerEntry> {
    match config.get(server)? {
        mcp_config::Server::AwaitingApproval(pending) => pending.entry(),
        settled => settled.entry(),
    }
}

/// A server that still connects when everybody else is done took too long.
pub(super) fn failure(status: &ServerStatus) -> Option<FailureKind> {
    match status.state {
        ServerState::Connecting => Some(FailureKind::Timeout),
        _ => status.failure,
    }
}

fn unanswered(status: &ServerStatus) -> Option<String> {
    (status.state == ServerState::Connecting)
        .then(|| "it is still connecting, and is waited for no longer".to_owned())
}

/// What is worth knowing of a server that may be well: its own notes, and what the exchange found out.
fn notes(
    status: &ServerStatus,
    exchange: &Exchange,
    schema_notes: &[(String, String)],
) -> Vec<String> {
    let prefix = format!("server \"{}\": ", status.server);
    let found = exchange
        .problems()
        .iter()
        .filter(|problem| problem.server() == Some(&status.server) && problem.file().is_none())
        .map(|problem| problem.message().to_owned());
    let schemas = schema_notes
        .iter()
        .filter(|(server, _)| *server == status.server)
        .map(|(_, note)| note.clone());
    let mut notes = status.notes.clone();
    for note in found.chain(schemas) {
        let note = note.strip_prefix(&prefix).unwrap_or(&note).to_owned();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

/// `[{"stage":"resolve","ms":0.4}, …]`.
fn milliseconds<S: Serializer>(stages: &[StageTime], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Time {
        stage: Stage,
        ms: f64,
    }
    serializer.collect_seq(stages.iter().map(|time| Time {
        stage: time.stage,
        ms: (time.elapsed.as_secs_f64() * 1e6).round() / 1e3,
    }))
}
