//! What sort of failure it is, so that a host can say what to do about it without reading messages.

use mcp_config::{ResolveError, ResolveErrors};
#[cfg(feature = "stdio")]
use mcp_transport::process::SpawnError;
use mcp_transport::{ConnectError, NetworkFailure, RequestError};
use serde::Serialize;

/// Why a server is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FailureKind {
    /// Its entry in the configuration is wrong.
    Entry,
    /// A variable that its entry's values use is not set, or is empty where that cannot be meant.
    Variable,
    /// A command in its entry's values failed.
    ValueCommand,
    /// A value of its entry cannot be used as it is resolved.
    Value,
    /// Its command does not exist.
    CommandNotFound,
    /// Its command exists and cannot be run.
    CommandNotExecutable,
    /// Its working directory cannot be used.
    Directory,
    /// Its process could not be started for another reason.
    Start,
    /// Its process ended, or ended its output.
    Exited,
    /// It did not answer in time.
    Timeout,
    /// It wants credentials, or refused those that it was given.
    Credentials,
    /// The name of its host cannot be resolved.
    Dns,
    /// No secure connection to it can be made, such as for its certificate.
    Tls,
    /// It cannot be reached, or broke off.
    Network,
    /// It speaks no protocol version that this client speaks, or only a transport that is gone.
    Version,
    /// It answered, and not as an MCP server.
    NotMcp,
    /// It refused with an error of its own.
    Refused,
    /// Anything else.
    Other,
}

impl From<&ResolveErrors> for FailureKind {
    /// The first error's: it is the one to mend first.
    fn from(errors: &ResolveErrors) -> FailureKind {
        match errors.iter().next() {
            Some((
                _,
                ResolveError::Unset { .. }
                | ResolveError::Required { .. }
                | ResolveError::EmptyHeader { .. }
                | ResolveError::BareScheme { .. }
                | ResolveError::NoHome,
            )) => FailureKind::Variable,
            Some((_, ResolveError::CommandFailed(_) | ResolveError::CommandNotRun)) => {
                FailureKind::ValueCommand
            }
            _ => FailureKind::Value,
        }
    }
}

impl From<&ConnectError> for FailureKind {
    fn from(error: &ConnectError) -> FailureKind {
        match error {
            #[cfg(feature = "stdio")]
            ConnectError::Spawn(error) => error.into(),
            ConnectError::Exited { .. }
            | ConnectError::Closed { .. }
            | ConnectError::Dropped { .. } => FailureKind::Exited,
            ConnectError::Timeout { .. } => FailureKind::Timeout,
            ConnectError::Version { .. } => FailureKind::Version,
            #[cfg(feature = "http")]
            ConnectError::DeprecatedTransport => FailureKind::Version,
            ConnectError::Refused { .. } => FailureKind::Refused,
            ConnectError::Request(error) => error.into(),
            _ => FailureKind::Other,
        }
    }
}

#[cfg(feature = "stdio")]
impl From<&SpawnError> for FailureKind {
    fn from(error: &SpawnError) -> FailureKind {
        match error {
            SpawnError::MissingCommand { .. } => FailureKind::CommandNotFound,
            SpawnError::NotExecutable { .. } | SpawnError::MissingInterpreter { .. } => {
                FailureKind::CommandNotExecutable
            }
            SpawnError::MissingDirectory { .. }
            | SpawnError::NotADirectory { .. }
            | SpawnError::ClosedDirectory { .. } => FailureKind::Directory,
            _ => FailureKind::Start,
        }
    }
}

impl From<&RequestError> for FailureKind {
    fn from(error: &RequestError) -> FailureKind {
        match error {
            RequestError::Timeout { .. } => FailureKind::Timeout,
            RequestError::Dropped { .. } => FailureKind::Exited,
            #[cfg(feature = "http")]
            RequestError::NeedsAuth { .. } => FailureKind::Credentials,
            RequestError::Network { cause, .. } => match cause {
                NetworkFailure::Dns => FailureKind::Dns,
                NetworkFailure::Tls => FailureKind::Tls,
                _ => FailureKind::Network,
            },
            RequestError::Http { .. } | RequestError::InvalidResult { .. } => FailureKind::NotMcp,
            RequestError::Server { .. } => FailureKind::Refused,
            _ => FailureKind::Other,
        }
    }
}
