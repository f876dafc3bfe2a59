//! Finds out how to speak to a server, within one deadline.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use tokio::time::{Instant, sleep};

use super::discover::Found;
use crate::error::Phase;
use crate::rpc::{Ask, Core, Meta};
use crate::{ConnectError, DropReason, Era, ProtocolVersion, RequestError, ServerInfo};

/// How to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Probe with `server/discover`; `initialize` follows if no answer comes soon.
    Probe,
    /// Straight with `initialize`, asking for this revision.
    Initialize(ProtocolVersion),
}

impl Plan {
    /// How to begin with a server that was spoken to in this way before.
    pub(crate) fn remembered(era: Option<Era>) -> Self {
        match era {
            Some(Era::Initialize) => Self::Initialize(ProtocolVersion::LATEST_INITIALIZE),
            Some(Era::Stateless) | None => Self::Probe,
        }
    }
}

/// Why a handshake stopped.
#[derive(Debug)]
pub(crate) enum Stopped {
    Failed(ConnectError),
    /// The server is gone.
    Gone(ConnectError),
    /// The server is gone after it named this revision: it may take it in a new process.
    #[cfg_attr(
        not(feature = "stdio"),
        expect(dead_code, reason = "only a process can be started again")
    )]
    StartAgain(ProtocolVersion),
    /// The server only speaks the stateless revision.
    Stateless,
}

/// One handshake under way.
pub(super) struct Handshake<'a> {
    pub(super) core: &'a Arc<Core>,
    deadline: Instant,
    /// `initialize` was sent.
    initializing: AtomicBool,
    stderr: &'a StderrTail,
}

/// Gives the end of what the server wrote to standard error, masked.
pub(crate) type StderrTail = dyn Fn() -> String + Send + Sync;

/// Finds out how to speak to the server behind `core`. `stderr` gives the tail for errors.
pub(crate) async fn negotiate(
    core: &Arc<Core>,
    plan: Plan,
    deadline: Instant,
    stderr: &StderrTail,
) -> Result<ServerInfo, Stopped> {
    let handshake = Handshake {
        core,
        deadline,
        initializing: AtomicBool::new(false),
        stderr,
    };
    match plan {
        Plan::Probe => handshake.probe().await,
        Plan::Initialize(version) => match handshake.initialize(version).await {
            // What was remembered holds no more.
            Err(Stopped::Stateless) => handshake.probe().await,
            done => done,
        },
    }
}

impl Handshake<'_> {
    /// Probes; the first usable answer wins.
    async fn probe(&self) -> Result<ServerInfo, Stopped> {
        let mut discover = pin!(self.discover());
        tokio::select! {
            found = &mut discover => return match found? {
                Found::Stateless(info) => Ok(*info),
                Found::Older(version) => self.initialize(version).await,
            },
            () = sleep(self.core.options.probe_wait) => {}
        }
        let mut initialize = pin!(self.initialize(ProtocolVersion::LATEST_INITIALIZE));
        tokio::select! {
            found = &mut discover => match found {
                Ok(Found::Stateless(info)) => Ok(*info),
                Ok(Found::Older(_)) | Err(_) => initialize.await,
            },
            done = &mut initialize => match done {
                Ok(info) => Ok(info),
                // A stateless server that boots slowly may refuse this before it answers the probe.
                Err(refused @ (Stopped::Failed(ConnectError::Refused { .. }) | Stopped::Stateless)) => {
                    match discover.await {
                        Ok(Found::Stateless(info)) => Ok(*info),
                        _ => Err(refused),
                    }
                }
                Err(stopped) => Err(stopped),
            },
        }
    }

    /// A request of the handshake: it has the time that is left, and is never cancelled.
    pub(super) fn ask(&self, method: &'static str) -> Ask<'static> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        Ask {
            method,
            name: None,
            meta: Meta::Nothing,
            progress: false,
            cancellable: false,
            timeout: left,
            max_total: left,
            cancel: None,
            on_progress: None,
            room: 512,
        }
    }

    pub(super) fn enter_initialize(&self) {
        self.initializing.store(true, Relaxed);
    }

    /// A request's error as that of the handshake.
    pub(super) fn stopped(&self, error: RequestError) -> Stopped {
        let phase = if self.initializing.load(Relaxed) {
            Phase::Initialize
        } else {
            Phase::Discover
        };
        match error {
            RequestError::Timeout { notes, .. } => Stopped::Failed(ConnectError::Timeout {
                after: self.core.options.start_timeout,
                phase,
                notes,
                stderr: (self.stderr)(),
            }),
            RequestError::Dropped { reason, .. } => Stopped::Gone(gone(&reason, phase)),
            other => Stopped::Failed(ConnectError::Request(other)),
        }
    }
}

fn gone(reason: &Arc<DropReason>, phase: Phase) -> ConnectError {
    match &**reason {
        DropReason::Exited { status, stderr } => ConnectError::Exited {
            status: *status,
            phase,
            stderr: stderr.clone(),
            hint: None,
        },
        DropReason::ClosedOutput { stderr } => ConnectError::Closed {
            phase,
            stderr: stderr.clone(),
        },
        _ => ConnectError::Dropped {
            reason: Arc::clone(reason),
            phase,
        },
    }
}
