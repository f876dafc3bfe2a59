//! The only place where configuration meets transport: settings become specs, options and masks.

use std::path::Path;
use std::time::Duration;

use mcp_config::{
    Command, Environment, ResolvedServer, ResolvedTransport, Secret, ServerEntry, Transport,
};
use mcp_transport::process::{ProcessSpec, base_environment};
use mcp_transport::{CallOptions, Era, HttpSpec, Mask, Options};

use crate::connect::{ConnectRequest, Target};
use crate::server::{Failure, FailureKind, ServerSpec, Services};

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
        ResolvedTransport::Http { url, headers } => {
            Target::Http(Box::new(http_spec(&url, &headers, &spec.environment)?))
        }
    };
    Ok(ConnectRequest::new(
        spec.entry.name().into(),
        target,
        options,
    ))
}

fn http_spec(
    url: &str,
    headers: &[(String, Secret)],
    environment: &Environment,
) -> Result<HttpSpec, Failure> {
    let spec =
        HttpSpec::new(url).map_err(|error| Failure::of(&error).of_kind(FailureKind::Value))?;
    // Variables that are not Unicode cannot name a proxy or a certificate.
    let variables = environment
        .iter()
        .filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)));
    let spec = spec.environment(variables);
    headers.iter().try_fold(spec, |spec, (name, value)| {
        spec.header(name, value.expose())
            .map_err(|error| Failure::of(&error).of_kind(FailureKind::Value))
    })
}

/// Where the value of a header comes from, for a person whose credential was refused.
pub(crate) fn behind_header(entry: &ServerEntry, header: &str) -> Option<String> {
    let Transport::Http(http) = entry.transport() else {
        return None;
    };
    let (name, value) = http
        .headers()
        .find(|(name, _)| name.eq_ignore_ascii_case(header))?;
    let origin = value.origin();
    let variables: Vec<&str> = value.variables().into_iter().collect();
    Some(match (value.command(), variables.is_empty()) {
        (Some(_), _) => format!("the header {name} comes from a command ({origin})"),
        (None, false) => format!(
            "the header {name} comes from the variable {} ({origin})",
            variables.join(", ")
        ),
        (None, true) => format!("the header {name} is written in the configuration ({origin})"),
    })
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
