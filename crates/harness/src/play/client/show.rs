//! How what a connection says looks in an artifact.

use std::error::Error;

use mcp_transport::{
    CloseReport, Completion, Event, ListProblem, Listing, Prompt, RequestError, Resource,
    ResourceTemplate, ServerInfo, Stats, Tool,
};
use serde_json::value::RawValue;

use crate::artifact::Json;
use crate::chain::chain;
use crate::scenario::{ClientMove, ListKind};
use crate::trace::Entry;

use super::super::show::Shown;
use super::connect::target;
use super::program::Failed;

/// The word of a move.
pub(super) fn name(step: &ClientMove) -> &'static str {
    match step {
        ClientMove::Connect(_) => "connect",
        ClientMove::List(_) => "list",
        ClientMove::Read(_) => "read",
        ClientMove::Prompt(_) => "prompt",
        ClientMove::Complete(_) => "complete",
        ClientMove::Call(_) => "call",
        ClientMove::Parallel(_) => "parallel",
        ClientMove::Start(_) => "start",
        ClientMove::Finish(_) => "finish",
        ClientMove::Cancel(_) => "cancel",
        ClientMove::Forget(_) => "forget",
        ClientMove::SetLogLevel(_) => "setLogLevel",
        ClientMove::Ping => "ping",
        ClientMove::RootsChanged => "rootsChanged",
        ClientMove::Events(_) => "events",
        ClientMove::EventsToEnd => "eventsToEnd",
        ClientMove::Dropped => "dropped",
        ClientMove::Stats => "stats",
        ClientMove::ServerLog => "serverLog",
        ClientMove::Close => "close",
        ClientMove::Abandon => "abandon",
        ClientMove::Event(_) => "event",
    }
}

/// The word of a move with what it is about.
pub(super) fn title(step: &ClientMove) -> String {
    let name = name(step);
    match step {
        ClientMove::Connect(wanted) => format!("{name} to {}", target(wanted)),
        ClientMove::Read(about)
        | ClientMove::Finish(about)
        | ClientMove::Cancel(about)
        | ClientMove::Forget(about)
        | ClientMove::SetLogLevel(about) => format!("{name} {about}"),
        ClientMove::List(wanted) => {
            format!("{name} {}", kind(*wanted).as_str().unwrap_or_default())
        }
        ClientMove::Prompt(wanted) => format!("{name} {}", wanted.name),
        ClientMove::Call(call) => format!("{name} {}", call.tool),
        ClientMove::Start(start) => format!("{name} {}: call {}", start.name, start.call.tool),
        ClientMove::Parallel(calls) => format!("{} calls side by side", calls.len()),
        _ => name.to_owned(),
    }
}

/// What a move brought, as the record shows it.
pub(super) fn outcome(name: &str, entry: &Json) -> Entry {
    let brought = entry.get("result").or(entry.get(name)).unwrap_or(entry);
    Entry::answered(name, brought.clone())
}

pub(super) fn kind(kind: ListKind) -> Json {
    Json::from(match kind {
        ListKind::Tools => "tools",
        ListKind::Resources => "resources",
        ListKind::ResourceTemplates => "resourceTemplates",
        ListKind::Prompts => "prompts",
    })
}

/// An error: its kind, and its text with all causes.
pub(super) fn error<E: Error>(error: &E) -> Json {
    let debug = format!("{error:?}");
    let kind = debug
        .split(|part: char| !part.is_alphanumeric())
        .next()
        .unwrap_or_default();
    Json::object([
        ("error", Json::from(kind)),
        ("message", Json::from(chain(error))),
    ])
}

/// An error of a request; one that the server answered with what it sent beside the message.
pub(super) fn failed(failed: &Failed) -> Json {
    let Json::Object(mut members) = error(failed) else {
        return error(failed);
    };
    if let RequestError::Server {
        data, http_status, ..
    } = failed
    {
        let data = data.as_ref().map(|data| Json::lenient(data.get()));
        members.extend(data.map(|data| ("data".to_owned(), data)));
        let status = http_status.map(|status| Json::from(u64::from(status)));
        members.extend(status.map(|status| ("httpStatus".to_owned(), status)));
    }
    Json::Object(members)
}

/// A result as its server sent it.
pub(super) fn raw(result: Result<&str, &Failed>) -> Json {
    result.map_or_else(failed, Json::lenient)
}

/// Suggestions for an argument.
pub(super) fn completion(result: &Result<Completion, Failed>) -> Json {
    match result {
        Err(error) => failed(error),
        Ok(completion) => Json::object([
            ("values", Json::from(completion.values.clone())),
            ("total", Json::from(completion.total)),
            ("hasMore", Json::from(completion.has_more)),
        ]),
    }
}

/// A request whose result says nothing.
pub(super) fn done(result: Result<&(), &Failed>) -> Json {
    result.map_or_else(failed, |()| Json::from("done"))
}

/// What the server said about itself.
pub(super) fn server(server: &ServerInfo) -> Json {
    let mut entry = vec![
        ("version", Json::from(server.protocol_version.as_str())),
        ("era", Json::from(server.era.as_str())),
        ("server", Json::from(server.name.clone())),
        ("serverVersion", Json::from(server.version.clone())),
    ];
    if let Some(instructions) = &server.instructions {
        entry.push(("instructions", Json::from(instructions.as_str())));
    }
    let capabilities = server
        .capabilities
        .raw()
        .map(|raw| Json::lenient(raw.get()));
    entry.push(("capabilities", capabilities.unwrap_or(Json::Null)));
    Json::object(entry)
}

pub(super) fn tools(listing: &Result<Listing<Tool>, Failed>, shown: &mut Shown) -> Json {
    list(listing, |tool| {
        let mut entry = vec![("name", Json::from(tool.name.as_str()))];
        texts(
            &mut entry,
            &[("title", &tool.title), ("description", &tool.description)],
        );
        shown.schema(&mut entry, tool.input_schema.get());
        raws(
            &mut entry,
            &[
                ("outputSchema", &tool.output_schema),
                ("annotations", &tool.annotations),
            ],
        );
        Json::object(entry)
    })
}

pub(super) fn resources(listing: &Result<Listing<Resource>, Failed>) -> Json {
    list(listing, |resource| {
        let mut entry = vec![
            ("uri", Json::from(resource.uri.as_str())),
            ("name", Json::from(resource.name.clone())),
        ];
        texts(
            &mut entry,
            &[
                ("title", &resource.title),
                ("description", &resource.description),
                ("mimeType", &resource.mime_type),
            ],
        );
        Json::object(entry)
    })
}

pub(super) fn templates(listing: &Result<Listing<ResourceTemplate>, Failed>) -> Json {
    list(listing, |template| {
        let mut entry = vec![
            ("uriTemplate", Json::from(template.uri_template.as_str())),
            ("name", Json::from(template.name.clone())),
        ];
        texts(
            &mut entry,
            &[
                ("title", &template.title),
                ("description", &template.description),
            ],
        );
        Json::object(entry)
    })
}

pub(super) fn prompts(listing: &Result<Listing<Prompt>, Failed>) -> Json {
    list(listing, |prompt| {
        let mut entry = vec![("name", Json::from(prompt.name.as_str()))];
        texts(
            &mut entry,
            &[
                ("title", &prompt.title),
                ("description", &prompt.description),
            ],
        );
        let arguments = prompt
            .arguments
            .iter()
            .map(|argument| argument.name.as_str());
        entry.push((
            "arguments",
            Json::Array(arguments.map(Json::from).collect()),
        ));
        Json::object(entry)
    })
}

fn list<T>(listing: &Result<Listing<T>, Failed>, item: impl FnMut(&T) -> Json) -> Json {
    match listing {
        Err(error) => failed(error),
        Ok(listing) => {
            let problems = listing
                .problems
                .iter()
                .map(ListProblem::to_string)
                .map(Json::from);
            Json::object([
                (
                    "items",
                    Json::Array(listing.items.iter().map(item).collect()),
                ),
                ("problems", Json::Array(problems.collect())),
            ])
        }
    }
}

fn texts(entry: &mut Vec<(&'static str, Json)>, members: &[(&'static str, &Option<String>)]) {
    for (name, text) in members {
        if let Some(text) = text {
            entry.push((name, Json::from(text.as_str())));
        }
    }
}

fn raws(entry: &mut Vec<(&'static str, Json)>, members: &[(&'static str, &Option<Box<RawValue>>)]) {
    for (name, raw) in members {
        if let Some(raw) = raw {
            entry.push((name, Json::lenient(raw.get())));
        }
    }
}

pub(super) fn event(event: &Event) -> Json {
    match event {
        Event::ToolsChanged => Json::from("tools changed"),
        Event::ResourcesChanged => Json::from("resources changed"),
        Event::PromptsChanged => Json::from("prompts changed"),
        Event::ResourceUpdated { uri } => Json::object([("updated", Json::from(uri.as_str()))]),
        Event::SessionExpired => Json::from("session expired"),
        Event::Log(entry) => Json::object([
            (
                "log",
                Json::from(format!("{:?}", entry.source).to_lowercase()),
            ),
            ("level", Json::from(entry.level.as_str())),
            ("logger", Json::from(entry.logger.clone())),
            ("data", Json::from(entry.data.as_str())),
        ]),
        Event::Dropped(reason) => Json::object([("dropped", Json::from(reason.to_string()))]),
        other => Json::from(format!("{other:?}")),
    }
}

/// The counters of what had to be tolerated. Bytes and messages are not shown: they say nothing that the
/// journal does not, and would change with every word of ours.
pub(super) fn stats(stats: &Stats) -> Json {
    let reports = stats
        .reports
        .iter()
        .map(|report| Json::from(report.as_str()));
    Json::object([
        ("noiseLines", Json::from(stats.noise_lines)),
        ("malformed", Json::from(stats.malformed)),
        ("invalidUtf8", Json::from(stats.invalid_utf8)),
        ("batches", Json::from(stats.batches)),
        ("unknownAnswers", Json::from(stats.unknown_answers)),
        ("duplicateAnswers", Json::from(stats.duplicate_answers)),
        ("lateAnswers", Json::from(stats.late_answers)),
        ("eventsLost", Json::from(stats.events_lost)),
        ("pending", Json::from(stats.pending)),
        ("reports", Json::Array(reports.collect())),
    ])
}

pub(super) fn close(report: &CloseReport) -> Json {
    let ended = report
        .ended
        .map(|ended| format!("{:?}", ended.step).to_lowercase());
    let status = report
        .ended
        .and_then(|ended| ended.status)
        .map(|status| status.to_string());
    Json::object([
        ("ended", Json::from(ended)),
        ("status", Json::from(status)),
        ("stderr", Json::from(report.stderr.as_str())),
    ])
}
