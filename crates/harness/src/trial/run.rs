//! Running trials side by side.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::{Outcome, Record, Setup, Trial};

/// One trial that was run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// Its name.
    pub name: String,
    /// What it came to.
    pub outcome: Outcome,
    /// How long it took.
    pub elapsed: Duration,
    /// What happened in it, where the setup asks for that and it was played.
    pub record: Option<Record>,
}

/// What a run tells while it goes on.
#[derive(Debug, Clone)]
pub enum Progress {
    /// The trial of this name begins.
    Begun(String),
    /// A trial has ended.
    Ended(Box<Report>),
}

/// Runs trials, `jobs` at a time, and tells each beginning and each result as it comes. Trials share nothing
/// but the setup. The reports are in the order of the results.
pub fn run(
    setup: &Setup,
    trials: Vec<Trial>,
    jobs: usize,
    mut tell: impl FnMut(&Progress),
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
                    let _ = sender.send(Progress::Begun(trial.name().to_owned()));
                    let _ = sender.send(Progress::Ended(Box::new(judge(&trial, setup))));
                }
            });
        }
        drop(sender);
        results
            .iter()
            .inspect(|progress| tell(progress))
            .filter_map(|progress| match progress {
                Progress::Begun(_) => None,
                Progress::Ended(report) => Some(*report),
            })
            .collect()
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
    catch_unwind(AssertUnwindSafe(|| trial.run(setup))).unwrap_or_else(|_| Report {
        name: trial.name().to_owned(),
        outcome: Outcome::failed("it panicked; the message is above"),
        elapsed: begun.elapsed(),
        record: None,
    })
}
