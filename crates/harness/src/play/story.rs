//! Where the story of a scenario is right now, for the message about one that hangs.

use std::sync::{Arc, Mutex, PoisonError};

/// A shared line that says what is being waited for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Story(Arc<Mutex<String>>);

impl Story {
    /// Says what comes next.
    pub(crate) fn now(&self, what: impl Into<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = what.into();
    }

    /// What was said last.
    pub(crate) fn last(&self) -> String {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
