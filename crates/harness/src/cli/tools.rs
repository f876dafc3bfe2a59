//! `mcp-harness tools`: what a model would be given.

use std::collections::BTreeMap;
use std::process::ExitCode;

use mcp_config::{Problem, Severity};
use mcp_session::{Exchange, ServerState, ServerStatus};
use serde::Serialize;
use serde_json::value::RawValue;

use super::args::ToolsArgs;
use super::connect::connected;
use super::exit::{CommandError, FAILED, OK};
use super::host::{Host, print};
use super::output::print_json;
use crate::terminal::{Style, escape, escape_line};

pub(super) fn tools(args: &ToolsArgs, host: &Host) -> Result<ExitCode, CommandError> {
    connected(&args.select, host, async |session, exchange| {
        let statuses = session.status();
        if args.json {
            print_json(&Listing::new(&statuses, exchange))?;
        } else {
            print(&text(
                &statuses,
                &session.schema_notes(),
                exchange,
                host.output_style(),
            ))?;
        }
        Ok(ExitCode::from(if is_right(&statuses, exchange) {
            OK
        } else {
            FAILED
        }))
    })
}

/// Whether every server that should run does, and no problem is an error.
fn is_right(statuses: &[ServerStatus], exchange: &Exchange) -> bool {
    let runs =
        |status: &ServerStatus| matches!(status.state, ServerState::Ready | ServerState::Disabled);
    statuses.iter().all(runs) && !exchange.problems().iter().any(is_error)
}

fn is_error(problem: &Problem) -> bool {
    problem.severity() == Severity::Error
}

/// The JSON form.
#[derive(Serialize)]
struct Listing<'a> {
    servers: BTreeMap<&'a str, Server<'a>>,
    tools: Vec<Tool<'a>>,
    problems: &'a [Problem],
}

#[derive(Serialize)]
struct Server<'a> {
    state: ServerState,
    version: Option<&'a str>,
    error: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tool<'a> {
    name: &'a str,
    server: Option<&'a str>,
    raw_name: &'a str,
    description: Option<&'a str>,
    /// The server's own bytes.
    input_schema: &'a RawValue,
}

impl<'a> Listing<'a> {
    fn new(statuses: &'a [ServerStatus], exchange: &'a Exchange) -> Self {
        let server = |status: &'a ServerStatus| Server {
            state: status.state,
            version: status.version.as_deref(),
            error: status.error.as_deref(),
        };
        Listing {
            servers: statuses
                .iter()
                .map(|status| (status.server.as_str(), server(status)))
                .collect(),
            tools: exchange
                .tools()
                .iter()
                .map(|tool| Tool {
                    name: tool.name(),
                    server: tool.server(),
                    raw_name: tool.raw_name(),
                    description: tool.description(),
                    input_schema: tool.input_schema(),
                })
                .collect(),
            problems: exchange.problems(),
        }
    }
}

fn text(
    statuses: &[ServerStatus],
    schema_notes: &[(String, String)],
    exchange: &Exchange,
    style: Style,
) -> String {
    let mut lines: Vec<String> = exchange
        .problems()
        .iter()
        .map(|problem| problem_line(problem, style))
        .collect();
    // Of a file that could not be read nobody knows what it configures.
    if statuses.is_empty() && !exchange.problems().iter().any(is_error) {
        lines.push("no servers are configured".to_owned());
    }
    for status in statuses {
        let notes = schema_notes
            .iter()
            .filter(|(server, _)| *server == status.server);
        let own: Vec<_> = exchange
            .tools()
            .iter()
            .filter(|tool| tool.server() == Some(&status.server))
            .collect();
        let withheld = status.tools.saturating_sub(own.len());
        let notes = notes.map(|(_, note)| note);
        lines.extend(server(status, withheld, notes, style));
        lines.extend(own.into_iter().map(|tool| {
            let first = tool
                .description()
                .and_then(|text| text.lines().next())
                .unwrap_or_default();
            let description = style.dim(&escape_line(first));
            format!("  {}  {description}", escape_line(tool.name()))
                .trim_end()
                .to_owned()
        }));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

fn problem_line(problem: &Problem, style: Style) -> String {
    let line = escape(&problem.to_string());
    if is_error(problem) {
        style.red(&line)
    } else {
        style.yellow(&line)
    }
}

/// Why a tool may be missing, a line each: the errors of the files, and the servers that do not run or
/// have something noted about them, such as a tool that was left out.
pub(super) fn troubles(
    statuses: &[ServerStatus],
    exchange: &Exchange,
    style: Style,
) -> Vec<String> {
    let errors = exchange
        .problems()
        .iter()
        .filter(|problem| is_error(problem))
        .map(|problem| problem_line(problem, style));
    let servers = statuses
        .iter()
        .filter(|status| !matches!(status.state, ServerState::Ready) || !status.notes.is_empty())
        .flat_map(|status| server(status, 0, std::iter::empty(), style));
    errors.chain(servers).collect()
}

fn server<'a>(
    status: &'a ServerStatus,
    withheld: usize,
    schema_notes: impl Iterator<Item = &'a String>,
    style: Style,
) -> Vec<String> {
    let name = style.bold(&escape_line(&status.server));
    let version = status
        .version
        .as_deref()
        .map(|version| format!(", {}", escape_line(version)));
    let version = version.unwrap_or_default();
    let withheld = match withheld {
        0 => String::new(),
        withheld => format!(", {withheld} of them not given to the model"),
    };
    let mut lines = vec![format!(
        "{name}: {}{version}, {} tool(s){withheld}",
        status.state, status.tools
    )];
    // A schema that a call has met has its note in the status already.
    let schema_notes = schema_notes.filter(|note| !status.notes.contains(note));
    let notes = status
        .notes
        .iter()
        .chain(schema_notes)
        .map(|note| style.yellow(&escape(note)));
    let error = status.error.iter().map(|error| style.red(&escape(error)));
    lines.extend(
        error
            .chain(notes)
            .map(|text| format!("  {}", text.replace('\n', "\n  "))),
    );
    lines
}
