//! What stands behind a diagram: each message in full, the declared tools, the artifact, the difference.

use maud::{Markup, html};

use crate::artifact::{DiffLine, Json, diff_lines};
use crate::terminal::escape;
use crate::trace::{Direction, Entry};
use crate::trial::Difference;

use super::label::Labels;

/// Of a longer text the beginning is shown: the page must stay one that opens at once.
const LONGEST: usize = 8_000;

/// Every entry of the record: `id-1`, `id-2`, …
pub(super) fn messages(trace: &[Entry], id: &str) -> Markup {
    let mut labels = Labels::default();
    html! {
        ol class="messages" {
            @for (index, entry) in trace.iter().enumerate() {
                @let label = labels.of(entry);
                li {
                    details class=(if label.failed { "bad" } else { "" }) {
                        summary {
                            span class="number" { (index + 1) }
                            span class="way" { (way(entry)) }
                            span class="text" { (label.text) }
                        }
                        div id={ (id) "-" (index + 1) } { (pre(&body(entry))) }
                    }
                }
            }
        }
    }
}

/// From whom to whom.
fn way(entry: &Entry) -> String {
    match entry {
        Entry::Asked { .. } => "→ host".to_owned(),
        Entry::Answered { .. } => "← host".to_owned(),
        Entry::Message(message) => match message.direction {
            Direction::Sent => format!("→ {}", escape(&message.server)),
            Direction::Received => format!("← {}", escape(&message.server)),
        },
        Entry::State { .. } => "state".to_owned(),
        Entry::Event(_) => "event".to_owned(),
        Entry::Exchange { .. } => "user".to_owned(),
        Entry::Said(_) => "model".to_owned(),
        Entry::More(_) => String::new(),
    }
}

fn body(entry: &Entry) -> String {
    match entry {
        Entry::Exchange { number, user } => user
            .clone()
            .unwrap_or_else(|| format!("exchange {number} begins")),
        Entry::Said(text) => text.clone(),
        Entry::Asked { what, detail } => {
            detail.as_ref().map_or_else(|| what.clone(), Json::to_text)
        }
        Entry::Answered { detail, .. } => detail.to_text(),
        Entry::Event(event) => event.to_text(),
        Entry::State { server, state } => format!("{server} is {state}"),
        Entry::Message(message) => message.body.to_text(),
        Entry::More(count) => format!("{count} more entries were not kept"),
    }
}

/// The tools that the model or the program was given: of each exchange, or of each listing.
pub(super) fn tools(artifact: &Json) -> Markup {
    let lists = tool_lists(artifact);
    html! {
        @for (title, tools) in &lists {
            h4 { (title) }
            @if tools.is_empty() { p { "None." } }
            @for tool in *tools {
                details class="tool" {
                    summary {
                        code { (escape(text_of(tool, "name"))) } " "
                        span class="text" { (escape(text_of(tool, "description").lines().next().unwrap_or_default())) }
                    }
                    (pre(&tool.to_text()))
                }
            }
        }
        @if lists.is_empty() { p { "The scenario lists none." } }
    }
}

fn tool_lists(artifact: &Json) -> Vec<(String, &[Json])> {
    let exchanges = items(artifact.get("exchanges")).unwrap_or_default().iter();
    let moves = items(artifact.get("client")).unwrap_or_default().iter();
    let declared = exchanges.enumerate().filter_map(|(index, exchange)| {
        let tools = items(exchange.get("tools"))?;
        Some((format!("Exchange {}", index + 1), tools))
    });
    let listed = moves.enumerate().filter_map(|(index, step)| {
        let is_tools = step.get("list")?.as_str()? == "tools";
        let tools = items(step.get("result")?.get("items"))?;
        is_tools.then(|| (format!("Move {}", index + 1), tools))
    });
    declared.chain(listed).collect()
}

fn items(value: Option<&Json>) -> Option<&[Json]> {
    match value {
        Some(Json::Array(items)) => Some(items),
        _ => None,
    }
}

fn text_of<'a>(value: &'a Json, name: &str) -> &'a str {
    value.get(name).and_then(Json::as_str).unwrap_or_default()
}

/// What differs, as a unified diff.
pub(super) fn difference(difference: &Difference) -> Markup {
    let accepted = difference.accepted.as_deref().unwrap_or_default();
    html! {
        p { (escape(&difference.what)) }
        pre class="diff" tabindex="0" {
            span class="place" { "--- " (escape(&difference.headings.0)) "\n" }
            span class="place" { "+++ " (escape(&difference.headings.1)) "\n" }
            @for line in diff_lines(accepted, &difference.received) {
                @match line {
                    DiffLine::Place(place) => span class="place" { (place) "\n" },
                    DiffLine::Equal(text) => span { " " (text) "\n" },
                    DiffLine::Removed(text) => del { "-" (text) "\n" },
                    DiffLine::Added(text) => ins { "+" (text) "\n" },
                    }
            }
        }
        @if let Some(accept) = &difference.accept {
            p { "If every line of it is right, accept it with" }
            pre tabindex="0" { (escape(accept)) }
        }
    }
}

/// A text as it stands, its beginning if it is long.
pub(super) fn pre(text: &str) -> Markup {
    let end = text.floor_char_boundary(LONGEST);
    html! {
        pre tabindex="0" {
            (escape(text[..end].trim_end()))
            @if end < text.len() {
                span class="more" { "\n… " (text.len() - end) " bytes more" }
            }
        }
    }
}
