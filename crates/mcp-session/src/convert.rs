//! The only place where configuration meets transport: settings become specs, options and masks.

use std::path::Path;

use mcp_config::{Command, Environment, ResolvedServer, ResolvedTransport, Secret, ServerEntry};
use mcp_transport::process::{ProcessSpec, base_environment};
use mcp_transport::{CallOptions, Era, Mask, Options};

use crate::connect::{ConnectRequest, Target};
use crate::server::{Failure, ServerSpec, Services};

/// What to connect, and how.
pub(crate) fn request(
    server: ResolvedServer,
    spec: &ServerSpec,
    services: &Services,
    era: Option<Era>,
) -> Result<ConnectRequest, Failure> {
    let options = options(&server, &spec.entry, services, era);
    let target = match server.transport {
        ResolvedTransport::Stdio {
            command,
            args,
            env,
            cwd,
        } => Target::Stdio(
            ProcessSpec::new(command, cwd)
                .args(args)
                .env(host_environment(&spec.environment))
                .env(env.iter().map(|(name, value)| (name, value.expose()))),
        ),
        ResolvedTransport::Http { .. } => {
            return Err(Failure::new("HTTP servers are not supported yet"));
        }
    };
    Ok(ConnectRequest::new(
        spec.entry.name().into(),
        target,
        options,
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
    if let Some(limit) = entry.start_timeout() {
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

/// The deadlines of a call: those of the entry as it stands now, which may be newer than the connection.
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

/// A `!command` as the process to run: with the host's whole environment, unlike a server.
pub(crate) fn command_spec(
    command: &Command,
    base: &Path,
    environment: &Environment,
) -> ProcessSpec {
    ProcessSpec::new("/bin/sh", base)
        .args(["-c", command.expose()])
        .env(environment.iter())
        .stdin_null()
}

fn host_environment(environment: &Environment) -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    base_environment(environment.iter())
}
