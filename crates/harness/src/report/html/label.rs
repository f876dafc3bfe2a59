//! What an entry of a record says in a few words.

use std::collections::BTreeMap;

use crate::artifact::Json;
use crate::terminal::escape_line;
use crate::trace::{Direction, Entry, Message};

/// Makes labels. It remembers which requests are open, since an answer names none.
#[derive(Debug, Default)]
pub(super) struct Labels {
    open: BTreeMap<(String, bool, String), String>,
}

/// A label, and whether it tells of something that went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) text: String,
    pub(super) failed: bool,
}

impl Labels {
    pub(super) fn of(&mut self, entry: &Entry) -> Label {
        let mut failed = false;
        let text = match entry {
            Entry::Exchange { number, user } => match user {
                Some(user) => format!("Exchange {number}: {user}"),
                None => format!("Exchange {number}"),
            },
            Entry::Said(text) => text.clone(),
            Entry::Asked { what, detail } => match detail {
                Some(detail) => format!("{what} {}", detail.to_line()),
                None => what.clone(),
            },
            Entry::Answered {
                what,
                detail,
                failed: wrong,
            } => {
                failed = *wrong;
                match gist(detail) {
                    Some(gist) => format!("{what}: {gist}"),
                    None => what.clone(),
                }
            }
            Entry::Event(event) => event_text(event),
            Entry::State { server, state } => {
                failed = matches!(state.as_str(), "failed" | "dropped");
                format!("{server}: {state}")
            }
            Entry::Message(message) => return self.message(message),
            Entry::More(count) => format!("{count} more were not kept"),
        };
        Label {
            text: escape_line(&text),
            failed,
        }
    }

    fn message(&mut self, message: &Message) -> Label {
        let body = &message.body;
        let id = body.get("id").map(Json::to_line);
        let sent = message.direction == Direction::Sent;
        let mut failed = false;
        let text = match (body.get("method").and_then(Json::as_str), id) {
            (Some(method), id) => {
                if let Some(id) = id {
                    let key = (message.server.clone(), sent, id);
                    self.open.insert(key, method.to_owned());
                }
                request(method, body)
            }
            (None, Some(id)) => {
                let of = self.open.remove(&(message.server.clone(), !sent, id));
                let of = of.as_deref().unwrap_or("an unknown request");
                // That a server refuses the probe is how it says that it is of the earlier era.
                failed = is_error(body) && of != "server/discover";
                answer(of, body)
            }
            (None, None) => format!("{} bytes: {}", message.bytes, body.to_line()),
        };
        Label {
            text: escape_line(&text),
            failed,
        }
    }
}

/// The method with what it is about.
fn request(method: &str, body: &Json) -> String {
    let params = body.get("params");
    let about = ["name", "uri", "reason", "level", "message"]
        .iter()
        .find_map(|name| params?.get(name)?.as_str());
    match about {
        Some(about) => format!("{method} {about}"),
        None => method.to_owned(),
    }
}

fn answer(method: &str, body: &Json) -> String {
    if let Some(error) = body.get("error") {
        let code = error.get("code").map(Json::to_line).unwrap_or_default();
        let text = error.get("message").and_then(Json::as_str);
        return format!("{method}: error {code} {}", text.unwrap_or_default());
    }
    match body.get("result").and_then(gist) {
        Some(gist) => format!("{method}: {gist}"),
        None => format!("{method}: result"),
    }
}

fn is_error(body: &Json) -> bool {
    let result = body.get("result");
    let tool = result.and_then(|result| result.get("isError"));
    body.get("error").is_some() || tool == Some(&Json::Bool(true))
}

/// The most telling part of a result.
fn gist(value: &Json) -> Option<String> {
    if let Some(error) = value.get("message").and_then(Json::as_str) {
        return Some(error.to_owned());
    }
    if let Some(Json::Array(parts)) = value.get("content") {
        let text = parts.first()?.get("text")?.as_str()?;
        return Some(format!("“{text}”"));
    }
    for (name, one) in [
        ("tools", "tool"),
        ("items", "item"),
        ("resources", "resource"),
        ("resourceTemplates", "template"),
        ("prompts", "prompt"),
        ("messages", "message"),
        ("contents", "content"),
    ] {
        if let Some(Json::Array(items)) = value.get(name) {
            let ending = if items.len() == 1 { "" } else { "s" };
            return Some(format!("{} {one}{ending}", items.len()));
        }
    }
    match value {
        Json::Object(_) => {
            let telling = ["protocolVersion", "version", "ended"];
            let mut found = telling.iter().filter_map(|name| value.get(name)?.as_str());
            found.next().map(str::to_owned)
        }
        Json::Array(items) => Some(items.len().to_string()),
        Json::Null => None,
        scalar => Some(scalar.to_line()),
    }
}

/// `open first`, `write user, project`, `kill notes`.
fn event_text(event: &Json) -> String {
    let Json::Object(members) = event else {
        return event.to_line();
    };
    let word = |value: &Json| match value {
        Json::String(text) => text.clone(),
        Json::Array(items) => {
            let words: Vec<&str> = items.iter().filter_map(Json::as_str).collect();
            words.join(", ")
        }
        other => other.to_line(),
    };
    let parts: Vec<String> = members
        .iter()
        .map(|(name, value)| format!("{name} {}", word(value)))
        .collect();
    parts.join(", ")
}
