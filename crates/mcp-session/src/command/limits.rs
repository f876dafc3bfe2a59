//! What bounds a run of a command.

use std::time::Duration;

#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(all(feature = "stdio", unix)),
    expect(dead_code, reason = "nothing runs that these could bound")
)]
pub(super) struct Limits {
    pub(super) time: Duration,
    pub(super) grace: Duration,
    /// In bytes.
    pub(super) output: usize,
}
