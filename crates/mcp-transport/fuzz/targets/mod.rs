//! The targets that go through the public API; those of private parsers are in `src/fuzzing`.

pub(crate) mod connection;
pub(crate) mod notifications;
mod peer;
pub(crate) mod results;
