//! How a fixture server's journal looks in an artifact: what a reviewer asks for, in as few lines as
//! possible.

use crate::artifact::{Json, Redactor};
use crate::sandbox::Sandbox;
use crate::scenario::Scenario;

/// Messages of the handshake. They are the same for every server of a session, so only scenarios that
/// ask for it show what is in them.
const HANDSHAKE: [&str; 2] = ["server/discover", "initialize"];

/// What each request of 2026-07-28 says about the client.
const USUAL_META: [&str; 3] = [
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/clientCapabilities",
];

/// What each HTTP request says about what the client takes.
const USUAL_HEADERS: [(&str, &str); 4] = [
    ("accept", "application/json, text/event-stream"),
    ("accept", "text/event-stream"),
    ("accept", "*/*"),
    ("content-type", "application/json"),
];

/// What each server saw, in order.
pub(super) fn journals(scenario: &Scenario, sandbox: &Sandbox, redactor: &mut Redactor) -> Json {
    let read = |server: &String| -> Vec<Json> {
        sandbox
            .journal(server)
            .iter()
            .map(|line| Json::lenient(line))
            .collect()
    };
    let journals: Vec<(String, Vec<Json>)> = scenario
        .servers
        .keys()
        .map(|server| (server.clone(), read(server)))
        .collect();
    redactor.learn_pids(journals.iter().flat_map(|(_, entries)| entries));
    Json::object(journals.into_iter().map(|(server, entries)| {
        let entries = listening_last(entries)
            .into_iter()
            .map(|entry| shown(redactor.journal(entry), !scenario.show_handshake));
        (server, Json::Array(entries.collect()))
    }))
}

/// A client begins to listen beside everything else it does, so the place of that request says nothing: it
/// stands behind the others of its process.
fn listening_last(entries: Vec<Json>) -> Vec<Json> {
    let mut sorted = Vec::new();
    let mut listening = Vec::new();
    for entry in entries {
        if is_listening(&entry) {
            listening.push(entry);
            continue;
        }
        if entry.get("eof").is_some() || entry.get("start").is_some() {
            sorted.append(&mut listening);
        }
        sorted.push(entry);
    }
    sorted.append(&mut listening);
    sorted
}

/// Whether a request opens a stream, and does not go on with one that broke.
fn is_listening(entry: &Json) -> bool {
    let resumes = entry
        .get("headers")
        .is_some_and(|headers| headers.get("last-event-id").is_some());
    entry.get("http").and_then(Json::as_str) == Some("GET") && !resumes
}

/// An entry with its message taken apart: the method first, no `jsonrpc` where it is as it must be.
fn shown(entry: Json, brief: bool) -> Json {
    let Json::Object(members) = entry else {
        return entry;
    };
    let mut shown = Vec::new();
    for (name, value) in members {
        match value {
            Json::Object(message) if name == "received" => {
                message_members(message, brief, &mut shown);
            }
            Json::Object(headers) if name == "headers" && brief => {
                let headers = without_usual_headers(headers);
                if !headers.is_empty() {
                    shown.push((name, Json::Object(headers)));
                }
            }
            other => shown.push((name, other)),
        }
    }
    Json::Object(shown)
}

fn message_members(message: Vec<(String, Json)>, brief: bool, shown: &mut Vec<(String, Json)>) {
    let find = |wanted: &str| {
        message
            .iter()
            .find(|(name, _)| name == wanted)
            .map(|(_, value)| value.clone())
    };
    let (method, id) = (find("method"), find("id"));
    let handshake = method
        .as_ref()
        .and_then(Json::as_str)
        .is_some_and(|it| HANDSHAKE.contains(&it));
    shown.push((
        "received".to_owned(),
        method.unwrap_or_else(|| Json::from("an answer")),
    ));
    for (name, value) in message {
        match (name.as_str(), value) {
            ("method", _) => {}
            ("jsonrpc", version) if version.as_str() == Some("2.0") => {}
            ("params", _) if brief && handshake => {}
            ("params", Json::Object(params)) if brief => {
                let params = without_usual_meta(params, id.as_ref());
                if !params.is_empty() {
                    shown.push((name, Json::Object(params)));
                }
            }
            (_, value) => shown.push((name, value)),
        }
    }
}

/// Headers without those that every request of the transport has in the same words.
fn without_usual_headers(headers: Vec<(String, Json)>) -> Vec<(String, Json)> {
    headers
        .into_iter()
        .filter(|(name, value)| {
            let usual = (name.as_str(), value.as_str());
            !USUAL_HEADERS
                .iter()
                .any(|(name, value)| usual == (*name, Some(*value)))
        })
        .collect()
}

/// Parameters without what every request of a connection says in the same words.
fn without_usual_meta(params: Vec<(String, Json)>, id: Option<&Json>) -> Vec<(String, Json)> {
    let usual = |name: &str, value: &Json| match name {
        "progressToken" => Some(value) == id,
        _ => USUAL_META.contains(&name),
    };
    params
        .into_iter()
        .filter_map(|(name, value)| match value {
            Json::Object(meta) if name == "_meta" => {
                let meta: Vec<_> = meta
                    .into_iter()
                    .filter(|(name, value)| !usual(name, value))
                    .collect();
                (!meta.is_empty()).then_some((name, Json::Object(meta)))
            }
            value => Some((name, value)),
        })
        .collect()
}
