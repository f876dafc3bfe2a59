//! Notice of an exit that leaves the process unreaped, so that its id stays taken.
//!
//! A pidfd where the system has them, else a thread in `waitid` with `WNOWAIT`. (tokio's own
//! processes are reaped at the moment their exit is seen, which is why they are not used.)

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitIdStatus, waitid};
use tokio::io::unix::AsyncFd;
use tokio::sync::watch;

/// These threads do little but wait; a host's subscriber may run on them, so they are not tiny.
pub(super) const THREAD_STACK: usize = 512 * 1024;

/// What is known of a process without reaping it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    Running,
    Exited(ExitStatus),
    /// Something else in this process has reaped it, so that its id may be taken by a stranger.
    Lost,
}

/// Looks once.
pub(super) fn look(pid: Pid) -> Sight {
    sight(pid, WaitIdOptions::NOHANG)
}

/// Waits in the calling thread; never returns [`Sight::Running`].
pub(super) fn block(pid: Pid) -> Sight {
    sight(pid, WaitIdOptions::empty())
}

fn sight(pid: Pid, options: WaitIdOptions) -> Sight {
    let options = options | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        return match waitid(WaitId::Pid(pid), options) {
            Ok(None) => Sight::Running,
            Ok(Some(status)) => Sight::Exited(exit_status(&status)),
            Err(Errno::INTR) => continue,
            Err(_) => Sight::Lost,
        };
    }
}

/// The status in the form that `wait` would give it.
fn exit_status(status: &WaitIdStatus) -> ExitStatus {
    const CORE_DUMPED: i32 = 0x80;
    let raw = match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => (code & 0xff) << 8,
        (None, Some(signal)) if status.dumped() => signal | CORE_DUMPED,
        (None, Some(signal)) => signal,
        (None, None) => 0,
    };
    ExitStatus::from_raw(raw)
}

/// Wakes everyone who waits for the exit of one process.
#[derive(Debug)]
pub(super) enum ExitNotice {
    Descriptor(AsyncFd<OwnedFd>),
    Thread(watch::Receiver<bool>),
}

impl ExitNotice {
    /// The best way that the system offers. The process must not be reaped yet.
    pub(super) fn of(pid: Pid) -> io::Result<Self> {
        Self::by_descriptor(pid).or_else(|_| Self::by_thread(pid))
    }

    /// Linux since 5.3; under some sandboxes and debuggers the call does not exist.
    #[cfg(target_os = "linux")]
    pub(super) fn by_descriptor(pid: Pid) -> io::Result<Self> {
        use rustix::process::{PidfdFlags, pidfd_open};

        let descriptor = pidfd_open(pid, PidfdFlags::NONBLOCK).or_else(|error| match error {
            // Linux before 5.10 has the call but not the flag, which nothing here depends on.
            Errno::INVAL => pidfd_open(pid, PidfdFlags::empty()),
            error => Err(error),
        })?;
        #[expect(
            deprecated,
            reason = "an OwnedFd stays open and the same until it is dropped, which is all that \
                      the successor of this function asks for"
        )]
        Ok(Self::Descriptor(AsyncFd::new(descriptor)?))
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn by_descriptor(_: Pid) -> io::Result<Self> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }

    pub(super) fn by_thread(pid: Pid) -> io::Result<Self> {
        let (sender, receiver) = watch::channel(false);
        thread::Builder::new()
            .name(String::from("mcp-exit"))
            .stack_size(THREAD_STACK)
            .spawn(move || {
                block(pid);
                sender.send_replace(true);
            })?;
        Ok(Self::Thread(receiver))
    }

    /// Returns once the process may have exited; the caller looks again.
    pub(super) async fn wait(&self) {
        let noticed = match self {
            // The readiness is never cleared: a pidfd stays readable after the exit.
            Self::Descriptor(descriptor) => descriptor.readable().await.is_ok(),
            Self::Thread(exited) => exited.clone().wait_for(|exited| *exited).await.is_ok(),
        };
        if !noticed {
            // The runtime that carried the notice is shutting down; look now and then instead.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
