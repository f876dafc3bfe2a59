//! A process in a group of its own: start it, learn of its exit, end the group.

use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::{Pid, Signal};

use super::error::SpawnError;
use super::exit::{ExitNotice, Sight};
use super::ladder::{EndStep, Ended, Ladder};
use super::leader::Leader;
use super::pipes::Pipes;
use super::spec::ProcessSpec;
use super::{reaper, spawn};

/// How long a process may take to vanish after SIGKILL.
const AFTER_KILL: Duration = Duration::from_secs(2);

/// A process and whatever it starts, as one group that is ended as a whole.
///
/// The process is never reaped by itself: its exit is seen with [`exited`](Self::exited), and its
/// id stays taken until [`terminate`](Self::terminate) has killed what is left of the group. If
/// this program ends first, however it ends, a watcher ends the group within five seconds.
///
/// Dropping it sends SIGKILL to the group at once and leaves the reaping to a thread, in or
/// outside a runtime.
///
/// Out of reach are children that leave the group, and any code in the same program that reaps
/// children it did not start (then nothing is signalled any more, since the id may be a
/// stranger's). A program that copies itself with `fork` and no `exec` keeps the watcher waiting
/// for both copies.
///
/// Proved on Linux. macOS has no pidfd, so there a thread waits for each exit; it has no `/proc`, so
/// a process whose start the program did not survive is not found; and its pipes are marked
/// close-on-exec a moment after they are made, so a process that other code starts in that moment
/// can hold them open.
///
/// ```
/// use mcp_transport::process::{EndStep, Ladder, ProcessGroup, ProcessSpec};
/// use tokio::io::AsyncReadExt;
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let spec = ProcessSpec::new("/bin/sh", "/").args(["-c", "echo hello"]).stdin_null();
/// let (group, mut pipes) = ProcessGroup::spawn(&spec)?;
/// let mut text = String::new();
/// pipes.stdout.read_to_string(&mut text).await?;
/// assert_eq!(text, "hello\n");
///
/// let ended = group.terminate(Ladder::default()).await;
/// assert_eq!(ended.step, EndStep::Exited);
/// assert!(ended.status.is_some_and(|status| status.success()));
/// # Ok::<(), Box<dyn std::error::Error>>(()) })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProcessGroup {
    leader: Leader,
    notice: ExitNotice,
}

impl ProcessGroup {
    /// Starts a process. Returns once the program runs (or is known not to).
    ///
    /// # Panics
    ///
    /// Inside a tokio runtime whose I/O driver is off.
    pub fn spawn(spec: &ProcessSpec) -> Result<(Self, Pipes), SpawnError> {
        Self::spawn_with(spec, ExitNotice::of)
    }

    pub(super) fn spawn_with(
        spec: &ProcessSpec,
        notice: fn(Pid) -> io::Result<ExitNotice>,
    ) -> Result<(Self, Pipes), SpawnError> {
        reaper::sweep();
        let started = spawn::start(spec, notice)?;
        let group = Self {
            leader: started.leader,
            notice: started.notice,
        };
        Ok((group, started.pipes))
    }

    /// The id of the process, which is the id of its group.
    pub fn id(&self) -> u32 {
        self.leader.pid().as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits for the exit of the process, without reaping it; any number of callers may wait.
    ///
    /// The status is none if something else in this program reaped the process.
    pub async fn exited(&self) -> Option<ExitStatus> {
        loop {
            match self.leader.look() {
                Sight::Running => self.notice.wait().await,
                Sight::Exited(status) => return Some(status),
                Sight::Lost => return None,
            }
        }
    }

    /// Whether the process has exited by now.
    pub fn has_exited(&self) -> bool {
        self.leader.look() != Sight::Running
    }

    /// Sends SIGKILL to the group now, without waiting; [`terminate`](Self::terminate) or the drop
    /// then reaps.
    pub fn kill(&self) {
        self.leader.signal(EndStep::Killed, &[Signal::KILL]);
    }

    /// Ends the group and reaps the process: waits, SIGTERM, waits, SIGKILL, each step bounded.
    ///
    /// Ends early at the exit of the process; what then is left of its group is killed. May be
    /// called more than once and at the same time, and a call that is dropped can be made again.
    pub async fn terminate(&self, ladder: Ladder) -> Ended {
        if !self.exits_within(ladder.grace).await {
            let mut exited = false;
            if !ladder.term.is_zero() {
                self.leader
                    .signal(EndStep::Terminated, &[Signal::TERM, Signal::CONT]);
                exited = self.exits_within(ladder.term).await;
            }
            if !exited {
                self.kill();
                self.exits_within(AFTER_KILL).await;
            }
        }
        self.leader.finish()
    }

    async fn exits_within(&self, limit: Duration) -> bool {
        self.has_exited() || tokio::time::timeout(limit, self.exited()).await.is_ok()
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(unreaped) = self.leader.abandon() {
            reaper::reap_later(self.leader.pid(), unreaped);
        }
    }
}

impl fmt::Debug for ProcessGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessGroup")
            .field("id", &self.id())
            .field("exited", &self.has_exited())
            .finish_non_exhaustive()
    }
}
