//! The leader of a process group while it is unreaped, which is what keeps its id from being given
//! to a stranger.
//!
//! Every signal and the reaping happen under one lock, so a signal can never follow the reaping.

use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::exit::{Sight, look};
use super::ladder::{EndStep, Ended};
use super::watcher::Lease;

#[derive(Debug)]
pub(super) struct Leader {
    pid: Pid,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    unreaped: Option<Unreaped>,
    status: Option<ExitStatus>,
    step: EndStep,
}

/// What has to be given up together, in this order: the group, the watcher's notice, the process.
#[derive(Debug)]
pub(super) struct Unreaped {
    pub(super) child: Child,
    pub(super) lease: Lease,
}

impl Leader {
    pub(super) fn new(pid: Pid, unreaped: Unreaped) -> Self {
        Self {
            pid,
            state: Mutex::new(State {
                unreaped: Some(unreaped),
                status: None,
                step: EndStep::Exited,
            }),
        }
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    pub(super) fn look(&self) -> Sight {
        self.lock().look(self.pid)
    }

    /// Sends signals to the whole group, unless the leader has exited already.
    pub(super) fn signal(&self, step: EndStep, signals: &[Signal]) {
        let mut state = self.lock();
        if state.look(self.pid) == Sight::Running {
            state.step = state.step.max(step);
            for signal in signals {
                send(self.pid, *signal);
            }
        }
    }

    /// Kills what is left of the group and reaps the leader, if the leader has exited.
    pub(super) fn finish(&self) -> Ended {
        let mut state = self.lock();
        match state.look(self.pid) {
            Sight::Running => Ended {
                step: EndStep::Stuck,
                status: None,
            },
            sight => {
                state.reap(self.pid, sight);
                Ended {
                    step: state.step,
                    status: state.status,
                }
            }
        }
    }

    /// Kills the group now and gives out what is then still to be reaped.
    pub(super) fn abandon(&self) -> Option<Unreaped> {
        let mut state = self.lock();
        match state.look(self.pid) {
            Sight::Running => {
                send(self.pid, Signal::KILL);
                state.unreaped.take()
            }
            sight => {
                state.reap(self.pid, sight);
                None
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn look(&self, pid: Pid) -> Sight {
        match (&self.unreaped, self.status) {
            (Some(_), _) => look(pid),
            (None, Some(status)) => Sight::Exited(status),
            (None, None) => Sight::Lost,
        }
    }

    fn reap(&mut self, pid: Pid, sight: Sight) {
        if let Some(unreaped) = self.unreaped.take() {
            self.status = unreaped.end(pid, sight);
        }
    }
}

impl Unreaped {
    /// Ends the group of a leader that has exited, in the only safe order.
    pub(super) fn end(mut self, pid: Pid, sight: Sight) -> Option<ExitStatus> {
        let Sight::Exited(status) = sight else {
            // Reaped behind our back: the id may belong to a stranger, so nothing is signalled.
            return None;
        };
        send(pid, Signal::KILL);
        // The watcher must forget the group before its id can be given away.
        drop(self.lease);
        let _ = self.child.wait();
        Some(status)
    }
}

/// Signals the group of an unreaped leader, or the leader alone if it has left its own group.
///
/// A refusal (of a program that changed its user) leaves the next step of the ladder to be tried.
pub(super) fn send(leader: Pid, signal: Signal) {
    if kill_process_group(leader, signal).is_err() {
        let _ = kill_process(leader, signal);
    }
}
