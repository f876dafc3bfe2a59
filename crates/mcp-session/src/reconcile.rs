//! What has to happen so that the running servers become the configured ones. Pure: values in, a
//! plan out; the session carries it out.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_config::{Digest, ServerEntry};

use crate::server::ServerState;

/// A server that should run: enabled, usable, approved.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) entry: Arc<ServerEntry>,
    /// Of the variables that its values use, so that a rotated secret is seen and no secret is
    /// kept.
    pub(crate) variables: Digest,
}

/// A server that has an owner, with what it was started from.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    pub(crate) entry: Arc<ServerEntry>,
    pub(crate) variables: Digest,
    pub(crate) state: ServerState,
}

/// What to do with one server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing: it is connected, or on the way.
    Keep,
    /// It is new.
    Start,
    /// Its connection settings, or the variables behind them, changed.
    Restart,
    /// It is gone from the configuration, switched off, or not to be used any more.
    Stop,
    /// Its last attempt failed.
    Retry,
    /// Its connection dropped.
    Reconnect,
}

/// One server's part of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) step: Step,
    /// Settings changed that apply without a new connection: what the model sees, and time limits.
    pub(crate) adopt: bool,
}

pub(crate) fn reconcile(
    wanted: &BTreeMap<String, Wanted>,
    running: &BTreeMap<String, Running>,
) -> BTreeMap<String, Action> {
    let stopped = running.keys().filter(|name| !wanted.contains_key(*name));
    let stops = stopped.map(|name| {
        (
            name.clone(),
            Action {
                step: Step::Stop,
                adopt: false,
            },
        )
    });
    let others = wanted
        .iter()
        .map(|(name, wanted)| (name.clone(), action(wanted, running.get(name))));
    stops.chain(others).collect()
}

fn action(wanted: &Wanted, running: Option<&Running>) -> Action {
    let Some(running) = running else {
        return Action {
            step: Step::Start,
            adopt: false,
        };
    };
    let changes = wanted.entry.changes(&running.entry);
    let step = if changes.connection || wanted.variables != running.variables {
        Step::Restart
    } else {
        match running.state {
            ServerState::Failed => Step::Retry,
            ServerState::Dropped => Step::Reconnect,
            // Its owner ended: only an owner that broke down ends without being told to.
            ServerState::Stopping | ServerState::Stopped => Step::Start,
            _ => Step::Keep,
        }
    };
    Action {
        step,
        adopt: changes.time_limits || changes.exposure || changes.enabled,
    }
}

#[cfg(test)]
mod tests;
