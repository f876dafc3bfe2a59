//! `mcp-harness tools`: what a model would be given, and what is kept from it.

use std::process::ExitCode;

use mcp_config::{Exposure, Problem, Severity};
use mcp_session::{Exchange, ServerState, ServerStatus, ToolStatus};

use super::args::ToolsArgs;
use super::connect::connected;
use super::exit::{CommandError, FAILED, OK};
use super::explain::explain;
use super::host::{Host, print};
use super::listing::Listing;
use super::lookup::find;
use super::output::print_json;
use super::tokens::tokens;
use crate::number::{count, plural};
use crate::terminal::{Style, escape, escape_line};

/// The longest description that stands beside a name.
const DESCRIPTION: usize = 100;

pub(super) fn tools(args: &ToolsArgs, host: &Host) -> Result<ExitCode, CommandError> {
    connected(
        &args.look.start,
        args.wait,
        host,
        async |session, exchange| {
            let statuses = session.status();
            let tools = session.tools();
            let style = host.output_style();
            if let Some(name) = &args.explain {
                let tool = find(name, &tools, session, exchange)?;
                return explain(tool, exchange, args.look.json, style);
            }
            if args.look.json {
                print_json(&Listing::new(&statuses, &tools, exchange))?;
            } else {
                print(&text(
                    &statuses,
                    &tools,
                    &session.schema_notes(),
                    exchange,
                    style,
                ))?;
            }
            Ok(ExitCode::from(if is_right(&statuses, exchange) {
                OK
            } else {
                FAILED
            }))
        },
    )
}

/// Whether every server that should run does, and no problem is an error.
fn is_right(statuses: &[ServerStatus], exchange: &Exchange) -> bool {
    let runs =
        |status: &ServerStatus| matches!(status.state, ServerState::Ready | ServerState::Disabled);
    statuses.iter().all(runs) && !has_errors(exchange)
}

/// Whether a file has errors.
pub(super) fn has_errors(exchange: &Exchange) -> bool {
    exchange.problems().iter().any(is_error)
}

fn is_error(problem: &Problem) -> bool {
    problem.severity() == Severity::Error
}

fn text(
    statuses: &[ServerStatus],
    tools: &[ToolStatus],
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
    if statuses.is_empty() && !has_errors(exchange) {
        lines.push("no servers are configured".to_owned());
    }
    for status in statuses {
        let own: Vec<&ToolStatus> = tools
            .iter()
            .filter(|tool| tool.server() == status.server)
            .collect();
        let notes = schema_notes
            .iter()
            .filter(|(server, _)| *server == status.server)
            .map(|(_, note)| note);
        lines.extend(server(status, &own, notes, style));
        lines.extend(own.iter().map(|tool| tool_line(tool, style)));
    }
    lines.extend(sum(exchange, style));
    lines.into_iter().map(|line| line + "\n").collect()
}

/// What all tools of the model come to.
fn sum(exchange: &Exchange, style: Style) -> Option<String> {
    let tools = exchange.tools();
    let sum = tools
        .iter()
        .map(|tool| tokens(tool.name(), tool.description(), tool.input_schema()))
        .sum();
    let text = format!(
        "{} for the model, about {} tokens (an estimate: a quarter of the bytes of their JSON)",
        plural(tools.len(), "tool"),
        count(sum)
    );
    (!tools.is_empty()).then(|| style.dim(&text))
}

fn tool_line(tool: &ToolStatus, style: Style) -> String {
    let first = tool
        .description()
        .and_then(|text| text.lines().next())
        .unwrap_or_default();
    let description = style.dim(&short(&escape_line(first)));
    let line = match tool.name() {
        Some(name) => format!("  {}  {description}", escape_line(name)),
        None => format!(
            "  {} {}  {description}",
            style.dim(&escape_line(tool.raw_name())),
            style.yellow(&format!("({})", escape_line(&why_hidden(tool))))
        ),
    };
    line.trim_end().to_owned()
}

/// Why the model is not given a tool.
pub(super) fn why_hidden(tool: &ToolStatus) -> String {
    match (tool.exposure(), tool.rule(), tool.withheld()) {
        (Exposure::Hidden, Some(rule), _) => format!("hidden by toolExposure \"{rule}\""),
        (Exposure::Hidden, None, _) => "hidden by exposure".to_owned(),
        (Exposure::Direct, _, Some(reason)) => format!("withheld: {reason}"),
        (Exposure::Direct, _, None) => "without a name".to_owned(),
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(DESCRIPTION) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

pub(super) fn problem_line(problem: &Problem, style: Style) -> String {
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
        .flat_map(|status| server(status, &[], std::iter::empty(), style));
    errors.chain(servers).collect()
}

fn server<'a>(
    status: &'a ServerStatus,
    own: &[&ToolStatus],
    schema_notes: impl Iterator<Item = &'a String>,
    style: Style,
) -> Vec<String> {
    let mut facts = vec![state(status, style)];
    facts.extend(status.version.as_deref().map(escape_line));
    if status.state == ServerState::Ready || status.tools > 0 {
        facts.push(plural(status.tools, "tool"));
    }
    let hidden = own.iter().filter(|tool| tool.name().is_none()).count();
    if hidden > 0 {
        facts.push(format!("{hidden} of them not given to the model"));
    }
    let tokens = server_tokens(own);
    if tokens > 0 {
        facts.push(format!("about {} tokens", count(tokens)));
    }
    let name = style.bold(&escape_line(&status.server));
    let mut lines = vec![format!("{name}: {}", facts.join(", "))];
    // A schema that a call has met has its note in the status already.
    let schema_notes = schema_notes.filter(|note| !status.notes.contains(note));
    let notes = status
        .notes
        .iter()
        .chain(schema_notes)
        .map(|note| style.yellow(&escape(note)));
    let error = error_below(status).map(|error| style.red(&escape(error)));
    let error = error.into_iter();
    lines.extend(
        error
            .chain(notes)
            .map(|text| format!("  {}", text.replace('\n', "\n  "))),
    );
    lines
}

/// The error, to stand below the server's name, which it so need not repeat.
pub(super) fn error_below(status: &ServerStatus) -> Option<&str> {
    let error = status.error.as_deref()?;
    let prefix = format!("server {:?}: ", status.server);
    Some(error.strip_prefix(&prefix).unwrap_or(error))
}

pub(super) fn state(status: &ServerStatus, style: Style) -> String {
    let word = status.state.to_string();
    match status.state {
        ServerState::Ready => style.green(&word),
        ServerState::Failed | ServerState::Dropped => style.red(&word),
        ServerState::Disabled => word,
        _ => style.yellow(&word),
    }
}

/// The tokens of the tools that the model is given.
pub(super) fn server_tokens<'a>(own: impl IntoIterator<Item = &'a &'a ToolStatus>) -> usize {
    let shown = own
        .into_iter()
        .filter_map(|tool| Some((tool.name()?, *tool)));
    shown
        .map(|(name, tool)| tokens(name, tool.description(), tool.input_schema()))
        .sum()
}
