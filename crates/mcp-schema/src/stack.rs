//! Room on the stack for what recurses: the libraries go down a level for each level of a
//! document, and a thread's stack cannot grow.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// What may be used without asking: little enough for a thread with 2 MiB that has come some way.
const AT_HAND: usize = 1024 * 1024;

/// Why work was not done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Undone {
    /// No thread with so much stack could be had.
    NoRoom,
    /// A fault in a library. It costs the validation, not the host.
    Panicked,
}

impl fmt::Display for Undone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoRoom => "no thread has the stack that it needs",
            Self::Panicked => "the validator failed",
        })
    }
}

/// Runs something that needs about so many bytes of stack, on a thread of its own where the
/// present one may not have them. What it leaves behind when it panics must not matter.
pub(crate) fn with_room<T: Send>(
    bytes: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Undone> {
    if bytes <= AT_HAND {
        return catch_unwind(AssertUnwindSafe(work)).map_err(|_| Undone::Panicked);
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(bytes + AT_HAND);
        let worker = builder
            .spawn_scoped(scope, work)
            .map_err(|_| Undone::NoRoom)?;
        worker.join().map_err(|_| Undone::Panicked)
    })
}
