//! Hears messages and states from what the libraries tell any subscriber: so it is the host's own view, in its
//! order, of any server, whether or not that server keeps a journal. It keeps no spans.

use std::fmt;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::artifact::Json;

use super::{Direction, Entry, Message, Recorder};

/// Messages of more bytes are not taken apart; their beginning is kept.
const LARGEST: usize = 64 * 1024;

/// How much of a large message is kept.
const KEPT_CHARACTERS: usize = 200;

pub(super) struct Listener(pub(super) Recorder);

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let crates = ["mcp_transport", "mcp_session"];
        // A question whether anybody listens is neither a span nor an event.
        !metadata.is_span()
            && crates
                .iter()
                .any(|name| metadata.target().starts_with(name))
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::TRACE)
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        if let Some(entry) = fields.entry() {
            self.0.add(entry);
        }
    }

    // No span is enabled, so nothing of the following is ever about one.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The fields that say something here.
#[derive(Default)]
struct Fields {
    server: Option<String>,
    state: Option<String>,
    direction: Option<String>,
    payload: Option<(Json, usize)>,
}

impl Fields {
    fn entry(self) -> Option<Entry> {
        let server = self.server?;
        if let Some(state) = self.state {
            return Some(Entry::State { server, state });
        }
        let (body, bytes) = self.payload?;
        let direction = match self.direction?.as_str() {
            "sent" => Direction::Sent,
            _ => Direction::Received,
        };
        Some(Entry::Message(Message {
            server,
            direction,
            body,
            bytes,
        }))
    }

    fn field(&mut self, name: &str) -> Option<&mut Option<String>> {
        match name {
            "server" => Some(&mut self.server),
            "state" => Some(&mut self.state),
            "direction" => Some(&mut self.direction),
            _ => None,
        }
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "payload" {
            self.payload = Some((body(value), value.len()));
        } else if let Some(place) = self.field(field.name()) {
            *place = Some(value.to_owned());
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if let Some(place) = self.field(field.name()) {
            *place = Some(format!("{value:?}"));
        }
    }
}

fn body(text: &str) -> Json {
    if text.len() <= LARGEST {
        return Json::lenient(text);
    }
    let beginning: String = text.chars().take(KEPT_CHARACTERS).collect();
    Json::from(format!("{beginning}…"))
}
