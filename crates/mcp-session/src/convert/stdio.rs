//! Entries with a command, and the commands in values.

#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;

#[cfg(unix)]
use mcp_config::Command;
use mcp_config::{Environment, Secret};
use mcp_transport::process::{ProcessSpec, base_environment};

use crate::connect::Target;

/// The process to start: the plain variables of the host, and on top of them the entry's own.
pub(super) fn target(
    command: String,
    args: Vec<String>,
    env: &[(String, Secret)],
    cwd: PathBuf,
    environment: &Environment,
) -> Target {
    Target::Stdio(
        ProcessSpec::new(command, cwd)
            .args(args)
            .env(base_environment(environment.iter()))
            .env(env.iter().map(|(name, value)| (name, value.expose()))),
    )
}

/// A `!command` as the process to run: with the host's whole environment, unlike a server.
#[cfg(unix)]
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
