//! A call on a server: on the connection that is current, after bringing back one that dropped.

use std::sync::Arc;

use mcp_config::ServerEntry;
use mcp_transport::{CallResult, RequestError};

use super::call::{Checked, check, current};
use super::handle::Exchange;
use super::options::CallOptions;
use super::words;
use crate::convert;
use crate::plugin::Candidate;
use crate::result::{RawResult, ToolResult, convert as to_content};
use crate::server::Shared;

/// A call may be sent once more, in all, and only if it did not run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sending {
    First,
    Again,
}

impl Exchange {
    pub(super) async fn call_server(
        &self,
        name: &str,
        text: &str,
        candidate: &Candidate,
        checked: &Checked,
        (server, entry): (&Arc<Shared>, &Arc<ServerEntry>),
        options: &CallOptions,
    ) -> ToolResult {
        let options = options.on(convert::call_options(entry));
        let mut sending = Sending::First;
        let mut leased = server.lease().await;
        loop {
            let lease = match leased {
                Ok(lease) => lease,
                Err(failure) => return words::unavailable(&server.name, &failure),
            };
            // The connection may be a new one, with new tools.
            let newer = match newer(name, text, candidate, checked) {
                Ok(newer) => newer,
                Err(refused) => return refused,
            };
            let checked = newer.as_ref().unwrap_or(checked);
            let raw_name = &checked.tool.raw_name;
            let connection = &lease.live.connection;
            match connection
                .call_tool(raw_name, checked.arguments.get(), options.clone())
                .await
            {
                Ok(answer) => return self.converted(&answer, checked),
                Err(error) if sending == Sending::First && did_not_run(&error) => {
                    sending = Sending::Again;
                    let refused_by = lease.live.generation;
                    // Given back first: the old connection closes when its last call is done.
                    drop(lease);
                    leased = server.replaced(refused_by).await;
                }
                Err(error) => return words::failed(&server.name, entry, &error),
            }
        }
    }

    fn converted(&self, answer: &CallResult, checked: &Checked) -> ToolResult {
        let result = to_content(raw_result(answer), &self.session.settings.results);
        self.session.settings.output.apply(&checked.tool, result)
    }
}

fn raw_result(answer: &CallResult) -> RawResult<'_> {
    RawResult {
        content: answer.content(),
        structured: answer.structured_content(),
        is_error: answer.is_error(),
        whole: Some(answer.raw()),
    }
}

/// The arguments checked again, where the server has changed the tool meanwhile. What hooks let
/// through is what is sent: they are not asked twice for one call, so the call ends here where the
/// newer definition makes other arguments of the text.
fn newer(
    name: &str,
    text: &str,
    candidate: &Candidate,
    checked: &Checked,
) -> Result<Option<Checked>, ToolResult> {
    let same = current(candidate).is_some_and(|now| Arc::ptr_eq(&now.tool, &checked.tool));
    if same {
        return Ok(None);
    }
    let newer = check(name, text, candidate)?;
    if !candidate.hooks.is_empty() && newer.arguments.get().get() != checked.arguments.get().get() {
        return Err(words::changed_after_hooks(name));
    }
    Ok(Some(newer))
}

/// Whether the server is known not to have run the call.
fn did_not_run(error: &RequestError) -> bool {
    matches!(
        error,
        RequestError::Dropped { sent: false, .. }
            | RequestError::SessionExpired { refused: true, .. }
    )
}
