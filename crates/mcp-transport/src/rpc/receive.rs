//! What arrives: takes each line for what it is, and hands it to whoever it is for.
//! Nothing here waits, and nothing that a server sends stops the reader.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::pending::Settled;
use super::server_error::server_error;
use super::{Core, Reply};
use crate::RequestError;
use crate::types::Object;
use crate::wire::{AnswerId, Body, Envelope, Outcome, each_element, embedded_answer, place_in};

/// Messages of one batch, or one line, that are taken: nobody else has a turn until the last of them is.
pub(super) const MAX_BATCH: usize = 1000;
/// What the names of notifications begin with.
const NOTIFICATIONS: &str = "notifications/";

impl Core {
    /// Takes one line, or one body, as it was received.
    pub(crate) fn receive(self: &Arc<Self>, line: Cow<'_, [u8]>) {
        let text = self.decode(line);
        self.receive_text(text);
    }

    /// The same for what is known to be text.
    pub(crate) fn receive_text(self: &Arc<Self>, whole: Cow<'_, str>) {
        self.trace("received", whole.as_bytes());
        let text = whole.trim_start_matches('\u{feff}').trim_ascii();
        match text.as_bytes().first() {
            None => self.counters.blank_lines.one(),
            Some(b'{') if text.len() == whole.len() => self.message(whole),
            Some(b'{') => self.message(Cow::Borrowed(text)),
            Some(b'[') => self.batch(text),
            Some(_) => self.noise(text),
        }
    }

    /// Takes what stood behind the last line end when the stream ended: a message whose line end is missing, or
    /// the begin of one. A begin fails nobody: why the stream ended says more.
    pub(crate) fn receive_unfinished(self: &Arc<Self>, rest: &[u8]) {
        let json = rest.trim_ascii();
        if json.is_empty() {
            return;
        }
        let text = String::from_utf8_lossy(json);
        let mut values = serde_json::Deserializer::from_slice(json).into_iter::<IgnoredAny>();
        if values.all(|value| value.is_ok()) || embedded_answer(&text).is_some() {
            return self.receive(Cow::Borrowed(rest));
        }
        self.malformed(&text, "the output ended in the middle of it");
    }

    /// Text of a line; bytes that are not UTF-8 become replacement characters.
    fn decode<'a>(&self, line: Cow<'a, [u8]>) -> Cow<'a, str> {
        let decoded = match line {
            Cow::Borrowed(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => return Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(bytes),
            },
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => return Cow::Owned(text),
                Err(error) => String::from_utf8_lossy(error.as_bytes())
                    .into_owned()
                    .into(),
            },
        };
        self.counters.invalid_utf8.one();
        decoded
    }

    /// Several messages in one array, as revision 2025-03-26 allowed. Each is answered on its own.
    fn batch(self: &Arc<Self>, text: &str) {
        let mut has_object = false;
        let read = each_element(text, |item| has_object |= item.get().starts_with('{'));
        if read.is_err() || !has_object {
            return self.noise(text);
        }
        self.counters.batches.one();
        let mut count = 0;
        // Nothing is left to fail: it was read once.
        let _ = each_element(text, |item| {
            count += 1;
            if count <= MAX_BATCH {
                self.message(Cow::Borrowed(item.get()));
            }
        });
        if count > MAX_BATCH {
            let why = format!(
                "{} more messages of a batch are left out",
                count - MAX_BATCH
            );
            self.malformed(text, &why);
        }
    }

    /// One JSON object, or what begins like one.
    pub(super) fn message(self: &Arc<Self>, text: Cow<'_, str>) {
        let envelope = match Envelope::parse(&text) {
            Ok(envelope) => envelope,
            Err(error) => return self.broken(&text, &error),
        };
        if envelope.is_answer() {
            self.counters.received.one();
            let id = AnswerId::parse(envelope.id.map(RawValue::get));
            let shown = envelope.id.map(|id| place_in(&text, id));
            let outcome = envelope.into_outcome(&text);
            return self.answer(text, id, shown, outcome);
        }
        let Some(method) = envelope.method.as_deref().filter(|_| envelope.version) else {
            return self.not_a_message(&text, &envelope);
        };
        self.counters.received.one();
        match envelope.id {
            None => self.notice(method, envelope.params),
            Some(_) if !envelope.has_id() && method.starts_with(NOTIFICATIONS) => {
                self.notice(method, envelope.params);
            }
            Some(id) if is_request_id(id.get()) => self.serve(id.get(), method, envelope.params),
            Some(_) => self.malformed(&text, "the id of a request is no string or number"),
        }
    }

    fn answer(
        &self,
        text: Cow<'_, str>,
        id: AnswerId,
        shown: Option<Range<usize>>,
        outcome: Outcome,
    ) {
        match id {
            AnswerId::Number(id) => {
                let settled = self.settle_answer(id, text, outcome);
                if settled != Settled::Done {
                    self.count(settled, &id.to_string());
                }
            }
            AnswerId::None => self.connection_error(&text, &outcome),
            AnswerId::Strange => {
                self.count(Settled::Unknown, shown.map_or("none", |range| &text[range]));
            }
        }
    }

    fn settle_answer(&self, id: u64, text: Cow<'_, str>, outcome: Outcome) -> Settled {
        self.pending.settle(id, |method| match outcome {
            Outcome::Result(Body::Object(members)) => Ok(Reply::new(text.into_owned(), members)),
            Outcome::Result(Body::Other(kind)) => {
                // The request ran, so what it gave back must not be lost to whoever reads the error.
                let said = Object::parse(&text)
                    .ok()
                    .and_then(|mut message| message.take("result"));
                let said = said.map(|said| format!(": {}", self.sample(said.get())));
                let message = format!(
                    "expected an object, found {kind}{}",
                    said.unwrap_or_default()
                );
                Err(RequestError::invalid(method, "result", message))
            }
            Outcome::Error(range) => Err(server_error(method, &text[range], &self.options.mask)),
            Outcome::Malformed(why) => {
                self.counters.malformed.one();
                Err(RequestError::invalid(method, "message", why))
            }
        })
    }

    fn count(&self, settled: Settled, id: &str) {
        match settled {
            Settled::Done => {}
            Settled::Late => self.counters.late_answers.one(),
            Settled::Duplicate => {
                self.counters.duplicate_answers.one();
                self.report(format!("second response with id {id}"));
            }
            Settled::Unknown => {
                self.counters.unknown_answers.one();
                let text = format!("response with unexpected id {}", self.sample(id));
                self.pending.note(&text);
                self.pending.fail_strict(&text);
                self.report(text);
            }
        }
    }
}

fn is_request_id(json: &str) -> bool {
    matches!(json.as_bytes().first(), Some(b'"' | b'-' | b'0'..=b'9'))
}
