//! How what the session says looks in an artifact.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use mcp_config::Problem;
use mcp_session::{ServerStatus, SessionReport, ToolDefinition, ToolResult, ToolSource};
use mcp_transport::Progress;
use serde::Serialize;

use crate::artifact::{Json, Redactor, sha256};

/// The schemas that an artifact has shown: each stands in it once.
#[derive(Debug, Default)]
pub(super) struct Shown(BTreeSet<String>);

impl Shown {
    /// The declared tools of an exchange.
    pub(super) fn tools(&mut self, tools: &[ToolDefinition]) -> Json {
        Json::Array(tools.iter().map(|tool| self.tool(tool)).collect())
    }

    /// Adds the hash of a schema's bytes, and the schema where it was not shown before.
    pub(super) fn schema(&mut self, entry: &mut Vec<(&'static str, Json)>, schema: &str) {
        let hash = sha256(schema.as_bytes());
        entry.push(("inputSchemaSha256", Json::from(hash.as_str())));
        if self.0.insert(hash) {
            entry.push(("inputSchema", Json::lenient(schema).sorted()));
        }
    }

    fn tool(&mut self, tool: &ToolDefinition) -> Json {
        let mut entry = vec![("name", Json::from(tool.name()))];
        match tool.source() {
            ToolSource::Plugin { plugin } => entry.push(("plugin", Json::from(&**plugin))),
            _ => entry.push(("server", Json::from(tool.server()))),
        }
        entry.push(("rawName", Json::from(tool.raw_name())));
        for (name, text) in [("title", tool.title()), ("description", tool.description())] {
            if let Some(text) = text {
                entry.push((name, Json::from(text)));
            }
        }
        if let Some(annotations) = tool.annotations() {
            entry.push(("annotations", Json::lenient(annotations.get())));
        }
        self.schema(&mut entry, tool.input_schema().get());
        Json::object(entry)
    }
}

/// What came back from a call, and what it left for the host.
pub(super) fn result(result: &ToolResult) -> Json {
    let Json::Object(mut members) = json(result) else {
        return Json::Null;
    };
    if !result.warnings.is_empty() {
        members.push(("warnings".to_owned(), Json::from(result.warnings.clone())));
    }
    if let Some(failure) = &result.failure {
        members.push(("failure".to_owned(), json(failure)));
    }
    Json::Object(members)
}

/// What a server said of how far a request has come.
pub(super) fn progress(progress: &Progress) -> Json {
    let number = |value: f64| Json::Number(value.to_string());
    let mut entry = vec![("progress", number(progress.progress))];
    if let Some(total) = progress.total {
        entry.push(("total", number(total)));
    }
    if let Some(message) = &progress.message {
        entry.push(("message", Json::from(message.as_str())));
    }
    Json::object(entry)
}

/// Problems, with files relative to the sandbox and without the members that say nothing.
pub(super) fn problems(problems: &[Problem], redactor: &Redactor) -> Json {
    let shown = problems
        .iter()
        .map(|problem| without_nulls(json(problem)).map_strings(&|text| redactor.relative(&text)));
    Json::Array(shown.collect())
}

/// The states of the servers, by name.
pub(super) fn statuses(statuses: &[ServerStatus]) -> Json {
    Json::object(statuses.iter().map(|status| {
        let Json::Object(members) = without_nulls(json(status)) else {
            return (status.server.clone(), Json::Null);
        };
        let members = members.into_iter().filter(|(name, _)| name != "server");
        (status.server.clone(), Json::Object(members.collect()))
    }))
}

/// How the servers ended.
pub(super) fn report(report: &SessionReport) -> Json {
    Json::object(report.servers.iter().map(|server| {
        let Json::Object(members) = json(server) else {
            return (server.server.clone(), Json::Null);
        };
        let members = members.into_iter().filter(|(name, _)| name != "server");
        (server.server.clone(), Json::Object(members.collect()))
    }))
}

fn without_nulls(value: Json) -> Json {
    match value {
        Json::Object(members) => Json::Object(
            members
                .into_iter()
                .filter(|(_, value)| *value != Json::Null)
                .collect(),
        ),
        other => other,
    }
}

/// Our own types always serialise.
pub(super) fn json(value: &impl Serialize) -> Json {
    Json::lenient(&serde_json::to_string(value).unwrap_or_default())
}

/// The lines of the server log, without the time that each begins with.
pub(super) fn server_log(path: &Path) -> Json {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text
        .lines()
        .map(|line| line.split_once('\t').map_or(line, |(_, rest)| rest));
    Json::Array(lines.map(Json::from).collect())
}
