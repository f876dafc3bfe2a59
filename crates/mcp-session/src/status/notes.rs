//! What a person should know of a server that works: what its connection had to put up with, and what
//! became of its tools.

use std::sync::Arc;

use mcp_config::{Exposure, ServerEntry};
use mcp_naming::{ExposedName, NameTable};
use mcp_transport::Stats;

use crate::catalogue::unmatched;
use crate::server::{ListedTool, View};

/// A server's entry, and the names that the model knows its tools by, each at its tool's place in
/// the listing.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) entry: Arc<ServerEntry>,
    pub(crate) given: Vec<Option<ExposedName>>,
}

impl Names {
    pub(crate) fn of(view: &View, entry: &Arc<ServerEntry>, names: &NameTable) -> Names {
        let tools = view.tools.iter().flat_map(|tools| tools.iter());
        let given = tools.map(|tool| names.get(entry.name(), &tool.raw_name).cloned());
        Names {
            entry: Arc::clone(entry),
            given: given.collect(),
        }
    }
}

/// Notes on the connection, the listing, the tools' schemas and names, and the rules of
/// `toolExposure`.
pub(super) fn notes(server: &str, view: &View, names: Option<&Names>) -> Vec<String> {
    let mut notes = view
        .live
        .as_ref()
        .map(|live| oddities(&live.connection.stats(), view))
        .unwrap_or_default();
    let Some(tools) = &view.tools else {
        return notes;
    };
    notes.extend(tools.notes());
    let withheld = tools.iter().filter_map(|tool| {
        let reason = tool.input.withheld()?;
        Some(format!("tool \"{}\" is withheld: {reason}", tool.raw_name))
    });
    notes.extend(withheld);
    if let Some(Names { entry, given }) = names {
        let shown = tools
            .iter()
            .zip(given)
            .filter(|(tool, _)| entry.exposure_of(&tool.raw_name) == Exposure::Direct)
            .filter(|(tool, _)| tool.input.withheld().is_none());
        notes.extend(shown.filter_map(|(tool, given)| name_note(server, tool, given.as_ref())));
        notes.extend(unmatched(entry, tools));
    }
    notes
}

/// Where a tool has another name than it would have alone, or can have none.
fn name_note(server: &str, tool: &ListedTool, given: Option<&ExposedName>) -> Option<String> {
    let raw_name = &*tool.raw_name;
    match NameTable::new().assign([(server, raw_name)]).pop()? {
        Err(problem) => Some(problem.to_string()),
        Ok(alone) => given.filter(|given| **given != alone).map(|given| {
            format!(
                "tool \"{raw_name}\" is shown as {given}: another tool fits the name {alone} too"
            )
        }),
    }
}

fn oddities(stats: &Stats, view: &View) -> Vec<String> {
    let example = view
        .noise
        .as_deref()
        .map(|line| format!(", for example: {line}"))
        .unwrap_or_default();
    let noise = match stats.noise_lines {
        0 => None,
        1 => Some(format!("1 line on stdout was no message{example}")),
        count => Some(format!("{count} lines on stdout were no messages{example}")),
    };
    noise
        .into_iter()
        .chain(stats.reports.iter().cloned())
        .collect()
}
