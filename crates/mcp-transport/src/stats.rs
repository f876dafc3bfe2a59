//! What a connection counted. The counters live with the core; readers get a snapshot.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// How many reports are kept; older ones are gone.
const REPORTS: usize = 16;

/// A snapshot of what a connection sent, received and had to put up with.
///
/// ```
/// let stats = mcp_transport::Stats::default();
/// assert_eq!((stats.sent, stats.noise_lines, stats.reports.len()), (0, 0, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Messages handed to the link.
    pub sent: u64,
    /// Messages received that are JSON-RPC.
    pub received: u64,
    /// Bytes handed to the link.
    pub bytes_sent: u64,
    /// Bytes received, noise included.
    pub bytes_received: u64,
    /// Requests that wait for their answer now.
    pub pending: u64,
    /// Empty lines, skipped silently.
    pub blank_lines: u64,
    /// Lines that are no message, skipped.
    pub noise_lines: u64,
    /// Bytes of those lines.
    pub noise_bytes: u64,
    /// JSON objects and broken JSON that were meant as JSON-RPC and are not.
    pub malformed: u64,
    /// Messages with bytes that are not UTF-8, read with replacement characters.
    pub invalid_utf8: u64,
    /// Arrays of messages, taken apart.
    pub batches: u64,
    /// Answers whose id was never sent.
    pub unknown_answers: u64,
    /// Second answers to one request.
    pub duplicate_answers: u64,
    /// Answers to requests that were given up.
    pub late_answers: u64,
    /// Notifications of kinds that nobody here knows.
    pub unknown_notifications: u64,
    /// Requests of the server that were refused with -32601.
    pub refused_requests: u64,
    /// Answers and notifications of ours that a blocked pipe did not take.
    pub unsent: u64,
    /// Log entries that nobody read in time.
    pub events_lost: u64,
    /// The newest things worth a person's look, at most 16, masked.
    pub reports: Vec<String>,
}

macro_rules! counters {
    ($($name:ident),* $(,)?) => {
        /// The live counters behind [`Stats`].
        #[derive(Debug, Default)]
        pub(crate) struct Counters {
            $(pub(crate) $name: Counter,)*
            reports: Mutex<VecDeque<String>>,
        }

        impl Counters {
            /// What was counted so far; `pending` and `events_lost` are the caller's to add.
            pub(crate) fn snapshot(&self) -> Stats {
                Stats {
                    $($name: self.$name.get(),)*
                    reports: self.lock().iter().cloned().collect(),
                    ..Stats::default()
                }
            }
        }
    };
}

counters! {
    sent, received, bytes_sent, bytes_received, blank_lines, noise_lines, noise_bytes, malformed,
    invalid_utf8, batches, unknown_answers, duplicate_answers, late_answers, unknown_notifications,
    refused_requests, unsent,
}

impl Counters {
    /// Keeps a sentence about something that was tolerated. It must be masked already.
    pub(crate) fn report(&self, text: String) {
        let mut reports = self.lock();
        if reports.len() == REPORTS {
            reports.pop_front();
        }
        reports.push_back(text);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<String>> {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One counter; it only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: usize) {
        self.0.fetch_add(count as u64, Relaxed);
    }

    pub(crate) fn one(&self) {
        self.add(1);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}
