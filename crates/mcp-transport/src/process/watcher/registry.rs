//! What the watcher of this program must know, and keeping one alive while there is something.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::shell::Shell;
use super::watched::Watched;

/// A watcher that dies sooner than this has not been killed by chance.
const SHORT_LIFE: Duration = Duration::from_secs(1);
/// So many short lives in a row, and it is not started again until the next process is.
const SHORT_LIVES: u32 = 3;

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    watched: BTreeSet::new(),
    shell: None,
    generation: 0,
    short_lives: 0,
});

#[derive(Debug)]
pub(super) struct Registry {
    watched: BTreeSet<Watched>,
    shell: Option<Shell>,
    /// Tells the death of the current watcher from that of an earlier one.
    generation: u64,
    short_lives: u32,
}

pub(super) fn lock() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registry {
    pub(super) fn add(&mut self, watched: Watched) {
        self.watched.insert(watched);
        if self.shell.is_some() {
            self.tell("add", watched);
        } else if matches!(watched, Watched::Start(_)) {
            // A watcher that could not be started, or did not stay alive, is tried at each start.
            self.short_lives = 0;
            self.start();
        }
    }

    pub(super) fn remove(&mut self, watched: Watched) {
        self.watched.remove(&watched);
        self.tell("drop", watched);
        if self.watched.is_empty()
            && let Some(shell) = self.shell.take()
        {
            // Its input would end it too, after a look for what is left.
            shell.kill();
        }
    }

    fn tell(&mut self, word: &str, watched: Watched) {
        let shell = self.shell.as_mut();
        let told = shell.is_none_or(|shell| shell.tell(word, watched));
        if !told {
            self.replace();
        }
    }

    /// Puts a new watcher, which knows only what holds now, in the place of one that does not
    /// listen.
    fn replace(&mut self) {
        if let Some(shell) = self.shell.take() {
            shell.kill();
        }
        self.start();
    }

    fn start(&mut self) {
        self.generation += 1;
        match Shell::start(self.generation) {
            Ok(mut shell) => {
                if self.watched.iter().all(|each| shell.tell("add", *each)) {
                    self.shell = Some(shell);
                } else {
                    shell.kill();
                    tracing::warn!("the watcher takes no input; servers may outlive a crash");
                }
            }
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "no watcher could be started; servers may outlive a crash of this program"
            ),
        }
    }

    /// A watcher has died: one that is still needed is started anew.
    pub(super) fn died(&mut self, generation: u64, born: Instant) {
        if generation != self.generation || self.shell.take().is_none() {
            return;
        }
        if born.elapsed() < SHORT_LIFE {
            self.short_lives += 1;
        } else {
            self.short_lives = 0;
        }
        if self.short_lives < SHORT_LIVES {
            tracing::warn!("the watcher was killed; it is started again");
            self.start();
        } else {
            tracing::warn!("the watcher does not stay alive; servers may outlive a crash");
        }
    }
}

#[cfg(test)]
mod tests {
    use rustix::process::{Signal, kill_process};

    use super::super::lease::Lease;
    use super::*;

    #[test]
    fn a_watcher_that_listens_no_more_is_replaced_before_it_can_act() {
        let (_output, input) = std::io::pipe().unwrap();
        let _lease = Lease::before_start(input);
        let stopped = lock().shell.as_ref().map(Shell::pid).unwrap();
        kill_process(stopped, Signal::STOP).unwrap();
        // Nothing is read any more, so the pipe fills, and the next line finds no room.
        let replacement = loop {
            let mut registry = lock();
            registry.tell("drop", Watched::Start(1));
            match registry.shell.as_ref().map(Shell::pid) {
                Some(pid) if pid == stopped => {}
                replacement => break replacement,
            }
        };
        assert!(replacement.is_some());
        // Its input has ended, but it must not take this for the end of the host.
        while kill_process(stopped, Signal::CONT).is_ok() {
            std::thread::yield_now();
        }
    }
}
