//! What a runner of `!command` values must do. The session's runner delivers it with the transport's process groups.

use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use super::command::Command;
use super::outputs::CommandFailure;

/// How long a command may run before its group gets `SIGTERM`.
pub const TIME_LIMIT: Duration = Duration::from_secs(30);

/// How long after `SIGTERM` the group gets `SIGKILL`.
pub const KILL_GRACE: Duration = Duration::from_secs(2);

/// How much a command may print on its standard output, in bytes.
pub const OUTPUT_LIMIT: usize = 64 * 1024;

/// Runs commands that yield values.
///
/// **How a command runs.** `sh -c TEXT`, with the text as it stands, in the session's base directory, with the host's
/// whole environment, with standard input closed, in a process group of its own. Its standard error is drained and
/// dropped; it may hold credentials.
///
/// **Limits.** After [`TIME_LIMIT`], unless the host chose another, the group gets `SIGTERM`, after another
/// [`KILL_GRACE`] `SIGKILL`, whatever the command does about the first; the outcome is [`CommandFailure::TimedOut`]. More than [`OUTPUT_LIMIT`] bytes stop it
/// at once with [`CommandFailure::TooLarge`]. Once the command itself has ended, what is left of its group is killed;
/// a child that keeps the output open does not hold the answer up.
///
/// **Success** is exit status 0. The output is returned as it is; [`Outputs`](super::Outputs) trims one final line
/// break. It is remembered for the life of the runner, of which a host process has one.
///
/// **Failure** is told to all who were waiting, and forgotten at once: who asks next starts a new run.
///
/// **Sharing.** Who asks while a command runs waits for that run. If some of them stop waiting, the run goes on for the
/// others; when nobody waits any more, it may end or go on, but leaves no process behind when the runner is closed.
///
/// **Forgetting.** A host that refreshes a server forgets the remembered outputs of its commands.
///
/// ```
/// use std::path::Path;
///
/// use mcp_config::{Command, CommandRunner, RunningCommand};
///
/// /// Knows the answers already, for tests.
/// struct Prepared;
///
/// impl CommandRunner for Prepared {
///     fn run<'a>(&'a self, command: &'a Command, _base: &'a Path) -> RunningCommand<'a> {
///         Box::pin(async move { Ok(format!("output of {}\n", command.expose()).into_bytes()) })
///     }
/// }
/// ```
pub trait CommandRunner: Send + Sync {
    /// The standard output of a command, run now or remembered.
    fn run<'a>(&'a self, command: &'a Command, base: &'a Path) -> RunningCommand<'a>;
}

/// The answer of a [`CommandRunner`], once there is one.
pub type RunningCommand<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<u8>, CommandFailure>> + Send + 'a>>;
