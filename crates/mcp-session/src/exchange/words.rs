//! What the model reads when a call has no answer: each case in its own words, never empty.

use std::fmt::Write as _;

use mcp_config::ServerEntry;
use mcp_schema::Violations;
use mcp_transport::RequestError;

#[cfg(feature = "http")]
use crate::convert::behind_header;
use crate::plugin::Candidate;
use crate::result::{CallFailure, ToolResult, compact};
use crate::server::{Failure, chain};

/// More of an error's data than this says nothing to a model.
const DATA_LIMIT: usize = 4096;

pub(super) fn unknown(name: &str) -> ToolResult {
    let text =
        format!("there is no tool \"{name}\"; only the tools of this exchange can be called");
    ToolResult::failed(CallFailure::UnknownTool, text)
}

pub(super) fn hidden(name: &str) -> ToolResult {
    let text = format!("tool \"{name}\" is kept from the model by the configuration");
    ToolResult::failed(CallFailure::HiddenTool, text)
}

pub(super) fn taken_away(name: &str) -> ToolResult {
    let text = format!("tool \"{name}\" is kept from the model by a plugin of the host");
    ToolResult::failed(CallFailure::HiddenTool, text)
}

pub(super) fn withdrawn(name: &str, candidate: &Candidate) -> ToolResult {
    gone(name, candidate.server().unwrap_or_default())
}

pub(super) fn gone(name: &str, server: &str) -> ToolResult {
    let text =
        format!("tool \"{name}\" is no longer available: server \"{server}\" has withdrawn it");
    ToolResult::failed(CallFailure::Withdrawn, text)
}

pub(super) fn without_server(name: &str, server: &str) -> ToolResult {
    let text = format!(
        "tool \"{name}\" is no longer available: server \"{server}\" is not configured any more, or is switched off"
    );
    ToolResult::failed(CallFailure::Withdrawn, text)
}

pub(super) fn later(name: &str, server: &str) -> ToolResult {
    let text = format!(
        "tool \"{name}\" of server \"{server}\" is not part of this exchange; it can be called in the next one"
    );
    ToolResult::failed(CallFailure::UnknownTool, text)
}

pub(super) fn withheld(name: &str, server: &str, reason: &str) -> ToolResult {
    let text = format!("tool \"{name}\" of server \"{server}\" cannot be called: {reason}");
    ToolResult::failed(CallFailure::UnknownTool, text)
}

pub(super) fn connecting(name: &str, server: &str) -> ToolResult {
    let text = format!(
        "tool \"{name}\" cannot be called yet: server \"{server}\" is still connecting, and its tools join a later exchange"
    );
    ToolResult::failed(CallFailure::Unavailable, text)
}

pub(super) fn changed(name: &str, violations: &Violations) -> ToolResult {
    let text = format!(
        "tool \"{name}\" has changed on its server since this exchange began, and the arguments do not fit it any more \
         (its new definition comes with the next exchange):\n{violations}"
    );
    ToolResult::failed(CallFailure::Changed, text)
}

pub(super) fn changed_after_hooks(name: &str) -> ToolResult {
    let text = format!(
        "tool \"{name}\" has changed on its server while the host looked at the call, and the arguments mean something \
         else to it now; it was not called"
    );
    ToolResult::failed(CallFailure::Changed, text)
}

pub(super) fn refused(name: &str, violations: &Violations) -> ToolResult {
    let text =
        format!("the arguments do not fit tool \"{name}\"; it was not called:\n{violations}");
    ToolResult::failed(CallFailure::RefusedArguments, text)
}

pub(super) fn unavailable(server: &str, failure: &Failure) -> ToolResult {
    let kind = if failure.closed {
        CallFailure::Closed
    } else {
        CallFailure::Unavailable
    };
    let text =
        format!("server \"{server}\" is not available, and the tool was not called: {failure}");
    ToolResult::failed(kind, text)
}

/// A call that was sent, or could not be.
pub(super) fn failed(server: &str, entry: &ServerEntry, error: &RequestError) -> ToolResult {
    ToolResult::failed(kind(error), text(server, entry, error))
}

fn kind(error: &RequestError) -> CallFailure {
    use RequestError as E;
    match error {
        E::InvalidResult { .. } => CallFailure::InvalidResult,
        E::Dropped { sent: true, .. } | E::Network { sent: true, .. } => CallFailure::Lost,
        E::Dropped { .. } | E::Network { .. } => CallFailure::Unavailable,
        E::Timeout { .. } => CallFailure::TimedOut,
        E::Cancelled { .. } | E::CancelledByServer { .. } => CallFailure::Cancelled,
        E::SessionExpired { .. } => CallFailure::SessionExpired,
        #[cfg(feature = "http")]
        E::NeedsAuth { .. } => CallFailure::NeedsAuth,
        E::TooLarge { .. } => CallFailure::TooLarge,
        E::Closed => CallFailure::Closed,
        _ => CallFailure::ServerError,
    }
}

#[cfg_attr(
    not(feature = "http"),
    expect(
        unused_variables,
        reason = "only credentials have a place in the entry to tell"
    )
)]
fn text(server: &str, entry: &ServerEntry, error: &RequestError) -> String {
    let failed = || format!("the call to server \"{server}\" failed: {}", chain(error));
    match error {
        RequestError::Server {
            code,
            message,
            data,
            ..
        } => {
            let message = if message.trim().is_empty() {
                "(no message)"
            } else {
                message
            };
            let data = data
                .as_deref()
                .map(|data| format!("\ndata: {}", cut(compact(data))))
                .unwrap_or_default();
            format!("server \"{server}\" answered with error {code}: {message}{data}")
        }
        RequestError::InvalidResult { .. } => error.to_string(),
        RequestError::Timeout { .. } => format!("{}; its outcome is unknown", failed()),
        #[cfg(feature = "http")]
        RequestError::NeedsAuth { refusal, .. } => {
            let source = refusal
                .header
                .as_deref()
                .and_then(|header| behind_header(entry, header));
            format!(
                "{}{}",
                failed(),
                source
                    .map(|source| format!("; {source}"))
                    .unwrap_or_default()
            )
        }
        RequestError::Closed => {
            format!(
                "the connection to server \"{server}\" was closed while the call ran; its outcome is unknown"
            )
        }
        _ => failed(),
    }
}

fn cut(mut text: String) -> String {
    if text.len() > DATA_LIMIT {
        let end = (0..=DATA_LIMIT)
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0);
        let rest = text.len() - end;
        text.truncate(end);
        let _ = write!(text, "… ({rest} more bytes)");
    }
    text
}
