//! The only place where configuration meets transport: settings become specs, options and masks.

#[cfg(feature = "http")]
mod http;
#[cfg(feature = "stdio")]
mod stdio;

use std::time::Duration;

use mcp_config::{Environment, ResolvedServer, ResolvedTransport, Secret, ServerEntry};
use mcp_transport::{CallOptions, Era, Mask, Options};

use crate::connect::{ConnectRequest, Target};
use crate::server::{Failure, ServerSpec, Services};

#[cfg(feature = "http")]
pub(crate) use http::behind_header;
#[cfg(all(feature = "stdio", unix))]
pub(crate) use stdio::command_spec;

/// What to connect, and how.
#[cfg_attr(
    not(any(feature = "stdio", feature = "http")),
    expect(unreachable_code, reason = "without a transport there is no target")
)]
pub(crate) fn request(
    server: ResolvedServer,
    spec: &ServerSpec,
    services: &Services,
    era: Option<Era>,
) -> Result<ConnectRequest, Failure> {
    let options = options(&server, &spec.entry, services, era);
    let target = target(server.transport, &spec.environment)?;
    Ok(ConnectRequest::new(
        spec.entry.name().into(),
        target,
        options,
    ))
}

#[cfg_attr(
    not(any(feature = "stdio", feature = "http")),
    expect(clippy::needless_pass_by_value, reason = "a transport takes its parts")
)]
fn target(transport: ResolvedTransport, environment: &Environment) -> Result<Target, Failure> {
    match transport {
        #[cfg(feature = "stdio")]
        ResolvedTransport::Stdio {
            command,
            args,
            env,
            cwd,
        } => Ok(stdio::target(command, args, &env, cwd, environment)),
        #[cfg(feature = "http")]
        ResolvedTransport::Http { url, headers } => http::target(&url, &headers, environment),
        #[cfg(not(feature = "stdio"))]
        ResolvedTransport::Stdio { .. } => Err(left_out("processes", "stdio", environment)),
        #[cfg(not(feature = "http"))]
        ResolvedTransport::Http { .. } => Err(left_out("URLs", "http", environment)),
    }
}

/// This build has no such transport.
#[cfg(not(all(feature = "stdio", feature = "http")))]
fn left_out(what: &str, feature: &str, _environment: &Environment) -> Failure {
    Failure::new(format!(
        "this build connects to no {what}: it was made without the feature `{feature}`"
    ))
}

fn options(
    server: &ResolvedServer,
    entry: &ServerEntry,
    services: &Services,
    era: Option<Era>,
) -> Options {
    let mut options = Options::new(services.client.clone())
        .server_name(entry.name())
        .era(era)
        .mask(Mask::new(server.mask.iter().map(Secret::expose)))
        .handlers(services.handlers.clone());
    if let Some(log) = &services.log {
        options = options.server_log(log.clone());
    }
    if let Some(wait) = services.probe_wait {
        options = options.probe_wait(wait);
    }
    if let Some(limit) = start_timeout(entry, services) {
        options = options.start_timeout(limit);
    }
    if let Some(limit) = entry.request_timeout() {
        options = options.request_timeout(limit);
    }
    if let Some(limit) = entry.max_request() {
        options = options.max_request(limit);
    }
    options
}

/// The entry's limit for the start, or the host's where that is shorter.
fn start_timeout(entry: &ServerEntry, services: &Services) -> Option<Duration> {
    match (entry.start_timeout(), services.start_limit) {
        (Some(own), Some(limit)) => Some(own.min(limit)),
        (own, limit) => own.or(limit),
    }
}

/// The deadlines of a call: those of the entry as it stands now, which may be newer than the
/// connection.
pub(crate) fn call_options(entry: &ServerEntry) -> CallOptions {
    let mut options = CallOptions::new();
    if let Some(limit) = entry.request_timeout() {
        options = options.timeout(limit);
    }
    if let Some(limit) = entry.max_request() {
        options = options.max_total(limit);
    }
    options
}
