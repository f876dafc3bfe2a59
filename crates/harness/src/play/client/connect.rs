//! From a scenario's `connect` to what the transport takes.

use std::collections::BTreeMap;
use std::time::Duration;

use mcp_transport::process::{Ladder, ProcessSpec, base_environment};
use mcp_transport::{Era, HandlerError, Handlers, Mask, Options, ServerLog, model};
use serde::de::DeserializeOwned;

use crate::sandbox::Sandbox;
use crate::scenario::{Connect, JsonText};

use super::super::PlayError;
use super::super::session::client_info;

/// How long the probe waits where a scenario says nothing.
pub(in super::super) const PATIENCE: Duration = Duration::from_secs(20);

/// What the scenario connects to, in its own words.
pub(super) fn target(wanted: &Connect) -> &str {
    let named = [&wanted.server, &wanted.web, &wanted.command, &wanted.url];
    named
        .into_iter()
        .flatten()
        .next()
        .map_or("", String::as_str)
}

/// The process to start.
pub(super) fn spec(
    wanted: &Connect,
    sandbox: &Sandbox,
    environment: &BTreeMap<String, String>,
) -> ProcessSpec {
    let cwd = sandbox.path(wanted.cwd.as_deref().unwrap_or("project"));
    let command = wanted.command.as_deref().unwrap_or("fixture-server");
    ProcessSpec::new(command, cwd)
        .args(wanted.server.iter().chain(&wanted.args))
        .env(base_environment(environment))
        .env(&wanted.env)
}

/// How to connect.
pub(super) fn options(
    wanted: &Connect,
    sandbox: &Sandbox,
    remembered: Option<Era>,
) -> Result<Options, PlayError> {
    let era = match wanted.era.as_deref() {
        None => None,
        Some("remembered") => remembered,
        Some(era) => Some(era.parse().map_err(|_| PlayError::Value {
            text: era.to_owned(),
            expected: "an era (initialize, 2026-07-28 or remembered)",
        })?),
    };
    let mut options = Options::new(client_info())
        .server_name(target(wanted))
        .era(era)
        .mask(Mask::new(wanted.mask.iter().cloned()))
        .server_log(ServerLog::new(sandbox.path("home/.codework")))
        .handlers(handlers(wanted)?);
    if let Some(limit) = wanted.start_timeout_ms {
        options = options.start_timeout(Duration::from_millis(limit));
    }
    if let Some(limit) = wanted.request_timeout_ms {
        options = options.request_timeout(Duration::from_millis(limit));
    }
    if let Some(limit) = wanted.max_request_ms {
        options = options.max_request(Duration::from_millis(limit));
    }
    // On a busy machine a server may need more than the usual second to answer, and would then see one
    // more message than the artifact shows.
    let probe_wait = wanted.probe_wait_ms.map_or(PATIENCE, Duration::from_millis);
    options = options.probe_wait(probe_wait);
    if let Some((grace, term)) = wanted.ladder_ms {
        let (grace, term) = (Duration::from_millis(grace), Duration::from_millis(term));
        options = options.close_ladder(Ladder { grace, term });
    }
    Ok(options)
}

/// The program's answers to what servers ask.
fn handlers(wanted: &Connect) -> Result<Handlers, PlayError> {
    let mut handlers = Handlers::new();
    if let Some(roots) = &wanted.roots {
        let roots = roots
            .iter()
            .map(|uri| model::Root::new(uri.clone()))
            .collect();
        let answer = model::ListRootsResult::new(roots);
        handlers = handlers.roots(move || answered(answer.clone()));
    }
    if let Some(text) = &wanted.elicitation {
        let answer: model::ElicitResult = read(text, "a result of elicitation/create")?;
        handlers = handlers.elicitation(move |_| answered(answer.clone()));
    }
    if let Some(text) = &wanted.sampling {
        let answer: model::CreateMessageResult = read(text, "a result of sampling/createMessage")?;
        handlers = handlers.sampling(move |_| answered(answer.clone()));
    }
    Ok(handlers)
}

fn answered<T>(answer: T) -> std::future::Ready<Result<T, HandlerError>> {
    std::future::ready(Ok(answer))
}

fn read<T: DeserializeOwned>(text: &JsonText, expected: &'static str) -> Result<T, PlayError> {
    serde_json::from_str(text.as_str()).map_err(|_| PlayError::Value {
        text: text.as_str().to_owned(),
        expected,
    })
}
