//! The tool that a person at the terminal means: by the name that the model sees, by its raw name, or by
//! `server/raw`; and why there is none.

use mcp_session::{Exchange, ServerState, ServerStatus, Session, ToolStatus};

use super::exit::CommandError;
use super::tools::{has_errors, troubles};
use crate::terminal::Style;

/// The tool of this name.
///
/// # Errors
///
/// None or several have it. A name that nobody knows is the command line's fault only where the tools of
/// every server are known.
pub(super) fn find<'t>(
    name: &str,
    tools: &'t [ToolStatus],
    session: &Session,
    exchange: &Exchange,
) -> Result<&'t ToolStatus, CommandError> {
    let exposed = tools.iter().find(|tool| tool.name() == Some(name));
    if let Some(tool) = exposed.or_else(|| tools.iter().find(|tool| qualified(tool) == name)) {
        return Ok(tool);
    }
    let mut raw = tools.iter().filter(|tool| tool.raw_name() == name);
    match (raw.next(), raw.next()) {
        (Some(tool), None) => Ok(tool),
        (Some(one), Some(another)) => Err(CommandError::usage(format!(
            "several servers have a tool {name:?}; say which, for example {:?} or {:?}",
            qualified(one),
            qualified(another)
        ))),
        (None, _) => Err(unknown(name, tools, &session.status(), exchange)),
    }
}

fn qualified(tool: &ToolStatus) -> String {
    format!("{}/{}", tool.server(), tool.raw_name())
}

fn unknown(
    name: &str,
    tools: &[ToolStatus],
    statuses: &[ServerStatus],
    exchange: &Exchange,
) -> CommandError {
    let meant = nearest(name, tools).map(|near| format!("; did you mean {near:?}?"));
    let mut lines = vec![format!(
        "there is no tool {name:?}{}",
        meant.unwrap_or_default()
    )];
    let silent: Vec<String> = statuses
        .iter()
        .filter(|status| !matches!(status.state, ServerState::Ready | ServerState::Disabled))
        .map(|status| format!("{:?}", status.server))
        .collect();
    if !silent.is_empty() {
        let (names, what) = (
            silent.join(", "),
            if silent.len() == 1 { "its" } else { "their" },
        );
        lines.push(format!(
            "{names} did not start, so {what} tools are not known:"
        ));
    }
    lines.extend(troubles(statuses, exchange, Style::Plain));
    lines.push("`mcp-harness tools` with the same options lists the tools".to_owned());
    let message = lines.join("\n");
    if silent.is_empty() && !has_errors(exchange) {
        CommandError::usage(message)
    } else {
        CommandError::Failed { message }
    }
}

/// The name for a call of the tool that is nearest, if one is near enough to be meant.
fn nearest(name: &str, tools: &[ToolStatus]) -> Option<String> {
    let distance = |other: &str| {
        let distance = strsim::damerau_levenshtein(name, other);
        (distance <= name.len().max(other.len()) / 3).then_some(distance)
    };
    let distances = tools.iter().filter_map(|tool| {
        let forms = [
            tool.name().map(str::to_owned),
            Some(qualified(tool)),
            Some(tool.raw_name().to_owned()),
        ];
        let nearest = forms
            .iter()
            .flatten()
            .filter_map(|form| distance(form))
            .min()?;
        Some((
            nearest,
            tool.name().map_or_else(|| qualified(tool), str::to_owned),
        ))
    });
    distances.min().map(|(_, name)| name)
}
