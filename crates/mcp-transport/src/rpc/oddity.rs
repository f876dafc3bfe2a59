//! What arrives and is no message: counted, shown to people, and tied to the request that it was meant
//! for where that can be told.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::Core;
use super::pending::Settled;
use super::receive::MAX_BATCH;
use super::server_error::server_error;
use crate::RequestError;
use crate::event::{LogEntry, LogSource};
use crate::wire::{AnswerId, Envelope, Outcome, embedded_answer, salvage_id};

/// How much of a strange line is shown.
const SAMPLE: usize = 200;
/// The codes by which a server says that it could not read a request, and so not tell its id.
const UNREADABLE: [i64; 2] = [-32700, -32600];

impl Core {
    /// A line that is no JSON object or array, or an array of something else than messages.
    pub(super) fn noise(self: &Arc<Self>, text: &str) {
        self.counters.noise_lines.one();
        self.counters.noise_bytes.add(text.len());
        if let Some(answer) = embedded_answer(text) {
            return self.message(Cow::Borrowed(answer));
        }
        self.log(LogEntry::new(LogSource::Stdout, "info", self.sample(text)));
    }

    /// A line that begins as an object and is not JSON.
    pub(super) fn broken(self: &Arc<Self>, text: &str, error: &serde_json::Error) {
        if self.several(text) {
            return;
        }
        if embedded_answer(text).is_some() {
            return self.noise(text);
        }
        let why = format!("the message is not JSON: {error}");
        if self.fail_pending(salvage_id(text), &why) || text.contains("\"jsonrpc\"") {
            self.malformed(text, &why);
        } else {
            self.noise(text);
        }
    }

    /// Several messages in one line, as from a server whose threads do not wait for each other's line ends, or a message
    /// with other output behind it.
    fn several(self: &Arc<Self>, text: &str) -> bool {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        let (mut count, mut end) = (0, 0);
        while let Some(Ok(value)) = values.next() {
            let is_whole = values.byte_offset() == text.len() && count == 0;
            if is_whole || count == MAX_BATCH || !value.get().starts_with('{') {
                break;
            }
            (count, end) = (count + 1, values.byte_offset());
            self.message(Cow::Borrowed(value.get()));
        }
        let rest = text[end..].trim_ascii();
        match rest.as_bytes().first() {
            _ if count == 0 => return false,
            None => {}
            Some(_) if count == MAX_BATCH => {
                self.malformed(rest, "more messages in one line than are taken");
            }
            Some(b'{') => self.message(Cow::Borrowed(rest)),
            Some(_) => self.noise(rest),
        }
        true
    }

    /// A JSON object that is neither an answer, a request nor a notification.
    pub(super) fn not_a_message(self: &Arc<Self>, text: &str, envelope: &Envelope<'_>) {
        if envelope.method.is_none() && !envelope.bad_method && !envelope.version {
            // A log line in JSON, most likely; its `id` says nothing about our requests.
            return self.noise(text);
        }
        let why = if envelope.bad_method {
            "its method is no string"
        } else if envelope.version {
            "it has neither a method, a result nor an error"
        } else {
            "member \"jsonrpc\" is not \"2.0\""
        };
        if envelope.method.is_none() && !envelope.bad_method {
            let id = envelope.id.map(RawValue::get);
            self.fail_pending(AnswerId::parse(id), why);
        }
        self.malformed(text, why);
    }

    pub(super) fn malformed(&self, text: &str, why: &str) {
        self.counters.malformed.one();
        self.report(format!("malformed message: {why}: {}", self.sample(text)));
    }

    /// An answer without an id: the server could not tell what it answers.
    pub(super) fn connection_error(&self, text: &str, outcome: &Outcome) {
        self.counters.unknown_answers.one();
        let Outcome::Error(range) = outcome else {
            self.pending.note("response without an id");
            return self.report(format!("response without an id: {}", self.sample(text)));
        };
        let error = server_error("connection", &text[range.clone()], &self.options.mask);
        self.pending.note(&format!("error without an id: {error}"));
        self.report(format!("error without an id: {error}"));
        let unreadable =
            matches!(&error, RequestError::Server { code, .. } if UNREADABLE.contains(code));
        if let Some((id, strict)) = self.pending.only()
            && (unreadable || strict)
        {
            self.pending.settle(id, |_| Err(error));
        }
    }

    /// Keeps a sentence about what was tolerated, and tells it.
    pub(super) fn report(&self, text: String) {
        self.log(LogEntry::new(LogSource::Protocol, "warning", text.clone()));
        self.counters.report(text);
    }

    /// The begin of a text, masked.
    pub(super) fn sample(&self, text: &str) -> String {
        let sample = self.options.mask.apply_prefix(text, SAMPLE);
        if text.len() > SAMPLE {
            format!("{sample}… ({} bytes)", text.len())
        } else {
            sample
        }
    }

    fn fail_pending(&self, id: AnswerId, why: &str) -> bool {
        let AnswerId::Number(id) = id else {
            return false;
        };
        let settled = self.pending.settle(id, |method| {
            Err(RequestError::invalid(method, "message", why))
        });
        settled == Settled::Done
    }
}
