//! The way of a call: looked up, cleaned, checked, hooked, run, converted. Whatever happens on it,
//! the model gets a result.

use std::sync::Arc;

use mcp_schema::Arguments;

use super::handle::Exchange;
use super::options::CallOptions;
use super::words;
use crate::plugin::{Candidate, HookedCall, Runner};
use crate::result::{CallFailure, ToolResult};
use crate::server::ListedTool;

/// A call whose arguments fit a tool.
pub(super) struct Checked {
    pub(super) tool: Arc<ListedTool>,
    pub(super) arguments: Arguments,
}

impl Exchange {
    /// Runs a tool by the name that the model used, with the JSON text that it gave as arguments.
    ///
    /// A connection that dropped is brought back first. The call is sent once; only one that an
    /// expired HTTP session refused is sent again. Dropping the future cancels the call.
    pub async fn call(&self, name: &str, arguments: &str) -> ToolResult {
        self.call_with(name, arguments, CallOptions::default())
            .await
    }

    /// The same with a way to cancel it and to hear of its progress.
    pub async fn call_with(&self, name: &str, arguments: &str, options: CallOptions) -> ToolResult {
        let Some(cancel) = options.cancel.clone() else {
            return self.run(name, arguments, &options).await;
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => ToolResult::failed(CallFailure::Cancelled, "the call was cancelled"),
            result = self.run(name, arguments, &options) => result,
        }
    }

    async fn run(&self, name: &str, text: &str, options: &CallOptions) -> ToolResult {
        let Some(candidate) = self.catalogue.get(name) else {
            return self.missing(name);
        };
        let checked = match check(name, text, candidate) {
            Ok(checked) => checked,
            Err(refused) => return refused,
        };
        let call = HookedCall {
            name,
            server: candidate.server(),
            raw_name: &checked.tool.raw_name,
            arguments: checked.arguments.get(),
        };
        for hook in &candidate.hooks {
            if let Err(refusal) = hook.before(call).await {
                return ToolResult::failed(CallFailure::RefusedByPlugin, refusal.reason());
            }
        }
        let mut result = match &candidate.runner {
            Runner::Plugin { handler, .. } => {
                let result = handler.call(checked.arguments.get()).await;
                self.session.settings.output.apply(&checked.tool, result)
            }
            Runner::Server { server, entry, .. } => {
                self.call_server(name, text, candidate, &checked, (server, entry), options)
                    .await
            }
        };
        result
            .warnings
            .extend(checked.arguments.notes().iter().map(ToString::to_string));
        // The hook that came last is the innermost.
        for hook in candidate.hooks.iter().rev() {
            hook.after(call, &mut result).await;
        }
        result
    }
}

/// The arguments, cleaned and checked against the tool as it is now.
pub(super) fn check(name: &str, text: &str, candidate: &Candidate) -> Result<Checked, ToolResult> {
    let Current { tool, changed } =
        current(candidate).ok_or_else(|| words::withdrawn(name, candidate))?;
    tool.mark_compiled();
    match tool.input.prepare(Some(text)) {
        Ok(arguments) => Ok(Checked { tool, arguments }),
        Err(violations) if changed => Err(words::changed(name, &violations)),
        Err(violations) => Err(words::refused(name, &violations)),
    }
}

pub(super) struct Current {
    pub(super) tool: Arc<ListedTool>,
    /// The server gave it another input schema since the exchange was frozen.
    changed: bool,
}

/// The tool that a call and its result have to fit now: as the server's newest listing has it, or as
/// frozen where a plugin gave it another input schema. Nothing where the server has it no more.
pub(super) fn current(candidate: &Candidate) -> Option<Current> {
    let frozen = || Current {
        tool: Arc::clone(&candidate.shown),
        changed: false,
    };
    let Runner::Server { server, listed, .. } = &candidate.runner else {
        return Some(frozen());
    };
    let view = server.view();
    // Without a listing there is no newer one; what is the matter shows when the call asks for a
    // connection.
    let Some(tools) = &view.tools else {
        return Some(frozen());
    };
    let newest = tools.get(&listed.raw_name)?;
    let same = |a: &Arc<ListedTool>, b: &Arc<ListedTool>| {
        Arc::ptr_eq(a, b) || a.input.raw().get() == b.input.raw().get()
    };
    let patched = !same(&candidate.shown, listed);
    if patched {
        return Some(frozen());
    }
    Some(Current {
        tool: Arc::clone(newest),
        changed: !same(newest, listed),
    })
}
