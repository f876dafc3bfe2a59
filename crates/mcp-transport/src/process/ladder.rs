//! The steps by which a process group is ended, and which of them did it.

use std::process::ExitStatus;
use std::time::Duration;

/// How long each step of the end may take.
///
/// The steps are: wait for the process to end by itself (its input should have ended), SIGTERM and
/// SIGCONT to the group, SIGKILL to the group. SIGCONT is there because a process that was stopped
/// for touching the terminal would never see the SIGTERM.
///
/// ```
/// use std::time::Duration;
/// use mcp_transport::process::Ladder;
///
/// assert_eq!(Ladder::default().grace, Duration::from_secs(2));
/// assert_eq!(Ladder::kill().term, Duration::ZERO);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ladder {
    /// How long the process may take to end by itself before SIGTERM.
    pub grace: Duration,
    /// How long it may take between SIGTERM and SIGKILL; zero leaves SIGTERM out.
    pub term: Duration,
}

impl Ladder {
    /// SIGKILL at once.
    pub const fn kill() -> Self {
        Self {
            grace: Duration::ZERO,
            term: Duration::ZERO,
        }
    }

    /// SIGTERM at once, SIGKILL two seconds later.
    pub const fn term_first() -> Self {
        Self {
            grace: Duration::ZERO,
            term: Duration::from_secs(2),
        }
    }
}

/// Two seconds a step.
impl Default for Ladder {
    fn default() -> Self {
        Self {
            grace: Duration::from_secs(2),
            term: Duration::from_secs(2),
        }
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ended {
    /// The last step that was needed.
    pub step: EndStep,
    /// How the leader of the group exited; none if it is stuck, or if something else in this
    /// process took its status.
    pub status: Option<ExitStatus>,
}

/// The last step that was needed to end a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum EndStep {
    /// It ended before any signal was sent to it.
    Exited,
    /// It ended after SIGTERM.
    Terminated,
    /// It ended after SIGKILL.
    Killed,
    /// Even SIGKILL did not end it in two seconds, as happens to a process that waits for a broken
    /// disk; it is reaped when it ends.
    Stuck,
}
