//! Exit codes, as the help and the README list them.

use std::process::ExitCode;

/// Everything is as it should be.
pub(super) const OK: u8 = 0;

/// The command worked, and what it looked at is not right: a scenario failed, a server did not start, a
/// tool answered with an error, a configuration file has errors.
pub(super) const FAILED: u8 = 1;

/// The command could not be understood or refused to do it.
pub(super) const USAGE: u8 = 2;

/// Ended by SIGINT, as a shell tells it.
pub(super) const INTERRUPTED: u8 = 130;

/// Why a command did not do its work.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    /// The user can do something about it.
    #[error("{message}")]
    Usage {
        /// What, where, and what to do.
        message: String,
    },
    /// What was asked for could not be done, for a reason that is not in the command line.
    #[error("{message}")]
    Failed {
        /// What is not right, and where.
        message: String,
    },
    /// The output could not be written.
    #[error("cannot write the output")]
    Output(#[from] std::io::Error),
}

impl CommandError {
    pub(super) fn usage(message: impl Into<String>) -> CommandError {
        CommandError::Usage {
            message: message.into(),
        }
    }

    /// The exit code.
    pub(super) fn code(&self) -> ExitCode {
        match self {
            CommandError::Output(_) | CommandError::Failed { .. } => ExitCode::from(FAILED),
            CommandError::Usage { .. } => ExitCode::from(USAGE),
        }
    }
}
