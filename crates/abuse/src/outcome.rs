//! What the parts of the command end with: a message for whoever runs it.

use std::error::Error;

/// A value, or why the run cannot go on.
pub(crate) type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// What a whole run found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Kept,
    Broken,
}

impl Verdict {
    /// Kept if nothing was found.
    pub(crate) fn of<T>(faults: &[T]) -> Verdict {
        if faults.is_empty() {
            Verdict::Kept
        } else {
            Verdict::Broken
        }
    }
}
