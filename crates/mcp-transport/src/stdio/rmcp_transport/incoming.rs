//! From a line of a server's output to what rmcp is given of it: a message, an error in the place
//! of an answer that cannot be read, or nothing.

use rmcp::RoleClient;
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::RxJsonRpcMessage;
use serde_json::value::RawValue;

use super::pending::Pending;
use crate::wire::{Envelope, embedded_answer};

pub(super) type Message = RxJsonRpcMessage<RoleClient>;

/// The messages of a line; none for noise.
pub(super) fn messages(line: &[u8], pending: &Pending) -> Vec<Message> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Vec::new();
    }
    if text.starts_with('[')
        && let Ok(batch) = serde_json::from_str::<Vec<&RawValue>>(text)
    {
        let members = batch
            .iter()
            .filter_map(|member| message(member.get(), pending));
        return members.collect();
    }
    // A server that printed something without a line end may have sent an answer behind it.
    let found = message(text, pending)
        .or_else(|| embedded_answer(text).and_then(|answer| message(answer, pending)));
    if found.is_none() {
        tracing::debug!(bytes = text.len(), "skipped a line that is no message");
    }
    found.into_iter().collect()
}

fn message(text: &str, pending: &Pending) -> Option<Message> {
    match serde_json::from_str(text) {
        Ok(message) => Some(settle(message, pending)),
        Err(error) => instead_of_answer(text, &error, pending),
    }
}

/// Marks the request of an answer as answered, and gives the answer the id that was sent.
fn settle(mut message: Message, pending: &Pending) -> Message {
    let id = match &mut message {
        Message::Response(response) => Some(&mut response.id),
        Message::Error(error) => error.id.as_mut(),
        Message::Request(_) | Message::Notification(_) => None,
    };
    if let Some(id) = id
        && let Some(sent) = pending.take(id)
    {
        *id = sent;
    }
    message
}

/// The request of an answer that cannot be read would wait until its deadline.
fn instead_of_answer(text: &str, error: &serde_json::Error, pending: &Pending) -> Option<Message> {
    let envelope = Envelope::parse(text).ok().filter(Envelope::is_answer)?;
    let id: RequestId = serde_json::from_str(envelope.id?.get()).ok()?;
    let id = pending.take(&id)?;
    Some(failure(
        id,
        format!("the server's answer is malformed: {error}"),
    ))
}

pub(super) fn failure(id: RequestId, why: String) -> Message {
    Message::error(ErrorData::internal_error(why, None), Some(id))
}
