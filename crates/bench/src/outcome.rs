//! The outcome of anything in this command: errors are only ever printed.

use std::error::Error;

/// A value, or what a person is told.
pub(crate) type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;
