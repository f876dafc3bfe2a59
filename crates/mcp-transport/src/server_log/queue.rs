//! Lines on their way to the file: bounded, so that a slow disk costs entries and not memory.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// What may wait for the file.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// What is written at a time, so that other programs get their turn.
const BATCH_BYTES: usize = 64 * 1024;

#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    filled: Condvar,
    /// How many of the accepted lines are settled: in the file, or given up.
    settled: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<String>,
    bytes: usize,
    accepted: u64,
    lost: u64,
    lost_unreported: u64,
    closed: bool,
}

/// Lines to be written together.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) text: String,
    pub(super) lines: u64,
    /// Lines that were lost before this batch and of which the file does not speak yet.
    pub(super) lost: u64,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self {
            state: Mutex::default(),
            filled: Condvar::new(),
            settled: watch::Sender::new(0),
        }
    }

    /// Takes the line, or counts it as lost.
    pub(super) fn push(&self, line: String) {
        let mut state = self.lock();
        if state.closed || state.bytes + line.len() > MAX_BYTES {
            state.lose(1);
            return;
        }
        state.bytes += line.len();
        state.accepted += 1;
        state.lines.push_back(line);
        drop(state);
        self.filled.notify_one();
    }

    /// Waits for lines; none once the queue is closed and empty.
    pub(super) fn next(&self) -> Option<Batch> {
        let mut state = self.lock();
        while state.lines.is_empty() {
            if state.closed {
                return None;
            }
            state = self
                .filled
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        Some(state.take())
    }

    /// The lines of a batch are in the file, or are lost.
    pub(super) fn settle(&self, batch: &Batch, written: bool) {
        if !written {
            let mut state = self.lock();
            state.lose(batch.lines);
            state.lost_unreported += batch.lost;
        }
        self.settled.send_modify(|settled| *settled += batch.lines);
    }

    /// Waits until all that was accepted so far is settled.
    pub(super) async fn settled(&self) {
        let accepted = self.lock().accepted;
        // The sender lives as long as this queue.
        let _ = self
            .settled
            .subscribe()
            .wait_for(|settled| *settled >= accepted)
            .await;
    }

    pub(super) fn lost(&self) -> u64 {
        self.lock().lost
    }

    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn lose(&mut self, lines: u64) {
        self.lost += lines;
        self.lost_unreported += lines;
    }

    fn take(&mut self) -> Batch {
        let mut batch = Batch {
            lost: std::mem::take(&mut self.lost_unreported),
            ..Batch::default()
        };
        while let Some(line) = self.lines.front() {
            if batch.lines > 0 && batch.text.len() + line.len() > BATCH_BYTES {
                break;
            }
            batch.text.push_str(line);
            batch.lines += 1;
            self.bytes -= line.len();
            self.lines.pop_front();
        }
        batch
    }
}
