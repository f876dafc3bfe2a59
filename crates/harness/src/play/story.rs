//! The story of a playing as it goes on: where it is right now, for the message about one that hangs, and what
//! happened so far, for reports.

use std::sync::{Arc, Mutex, PoisonError};

use crate::trace::{Entry, Recorder};

/// A shared line that says what is being waited for, and the record, if one is kept.
#[derive(Debug, Clone)]
pub(crate) struct Story {
    now: Arc<Mutex<String>>,
    recorder: Option<Recorder>,
}

impl Story {
    pub(crate) fn new(recorder: Option<Recorder>) -> Story {
        Story {
            now: Arc::default(),
            recorder,
        }
    }

    /// Says what comes next.
    pub(crate) fn now(&self, what: impl Into<String>) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = what.into();
    }

    /// What was said last.
    pub(crate) fn last(&self) -> String {
        self.now
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Adds to the record what `entry` makes, if one is kept.
    pub(crate) fn record(&self, entry: impl FnOnce() -> Entry) {
        if let Some(recorder) = &self.recorder {
            recorder.add(entry());
        }
    }
}
