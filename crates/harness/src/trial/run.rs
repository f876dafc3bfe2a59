//! Running trials side by side.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::{Outcome, Setup, Trial};

/// One trial that was run.
#[derive(Debug, Clone)]
pub struct Report {
    /// Its name.
    pub name: String,
    /// What it came to.
    pub outcome: Outcome,
    /// How long it took.
    pub elapsed: Duration,
}

/// Runs trials, `jobs` at a time, and tells each result as it comes. Trials share nothing but the setup.
pub fn run(
    setup: &Setup,
    trials: Vec<Trial>,
    jobs: usize,
    mut tell: impl FnMut(&Report),
) -> Vec<Report> {
    let queue = Mutex::new(VecDeque::from(trials));
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let queue = &queue;
            scope.spawn(move || {
                while let Some(trial) = next(queue, setup) {
                    // The receiver lives as long as this scope.
                    let _ = sender.send(judge(&trial, setup));
                }
            });
        }
        drop(sender);
        results.iter().inspect(|report| tell(report)).collect()
    })
}

fn next(queue: &Mutex<VecDeque<Trial>>, setup: &Setup) -> Option<Trial> {
    if *setup.stop.borrow() {
        return None;
    }
    queue
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .pop_front()
}

/// A panic is a failure of its trial alone.
fn judge(trial: &Trial, setup: &Setup) -> Report {
    let begun = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| trial.run(setup)))
        .unwrap_or_else(|_| Outcome::Failed("it panicked; the message is above".to_owned()));
    Report {
        name: trial.name().to_owned(),
        outcome,
        elapsed: begun.elapsed(),
    }
}
