//! Reaping of killed processes that nobody waits for any more.
//!
//! One short-lived thread a process: they have been sent SIGKILL, so it is a matter of moments.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use rustix::process::Pid;

use super::exit::{self, Sight, THREAD_STACK};
use super::leader::Unreaped;

/// Killed processes on their way to a thread, and those for which none could be had.
static LEFT: Mutex<Left> = Mutex::new(Left {
    next_ticket: 0,
    processes: Vec::new(),
});

struct Left {
    next_ticket: u64,
    processes: Vec<Waiting>,
}

struct Waiting {
    /// Ids come back once their process is reaped, tickets do not.
    ticket: u64,
    pid: Pid,
    unreaped: Unreaped,
}

/// Reaps a process that was sent SIGKILL, without waiting for it here.
pub(super) fn reap_later(pid: Pid, unreaped: Unreaped) {
    // The process is not moved into the closure, which is lost if no thread can be started.
    let ticket = lock().add(pid, unreaped);
    let started = thread::Builder::new()
        .name(String::from("mcp-reap"))
        .stack_size(THREAD_STACK)
        .spawn(move || {
            let sight = exit::block(pid);
            let waiting = lock().take(ticket);
            if let Some(waiting) = waiting {
                waiting.unreaped.end(pid, sight);
            }
        });
    if let Err(error) = started {
        tracing::debug!(%error, "no thread to reap a process; it is reaped at the next start");
    }
}

/// Reaps those that have exited and have no thread.
pub(super) fn sweep() {
    let mut left = lock();
    let processes = std::mem::take(&mut left.processes);
    for waiting in processes {
        match exit::look(waiting.pid) {
            Sight::Running => left.processes.push(waiting),
            sight => {
                waiting.unreaped.end(waiting.pid, sight);
            }
        }
    }
}

impl Left {
    fn add(&mut self, pid: Pid, unreaped: Unreaped) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.processes.push(Waiting {
            ticket,
            pid,
            unreaped,
        });
        ticket
    }

    fn take(&mut self, ticket: u64) -> Option<Waiting> {
        let mut processes = self.processes.iter();
        let index = processes.position(|waiting| waiting.ticket == ticket)?;
        Some(self.processes.swap_remove(index))
    }
}

fn lock() -> MutexGuard<'static, Left> {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}
