//! Room on the stack for what recurses: the libraries go down a level for each level of a
//! document, and a thread's stack cannot grow.

use std::thread;

/// What may be used without asking: little enough for a thread with 2 MiB that has come some way.
const AT_HAND: usize = 1024 * 1024;

/// No thread with so much stack could be had.
#[derive(Debug)]
pub(crate) struct NoRoom;

/// Runs something that needs about so many bytes of stack, on a thread of its own where the
/// present one may not have them.
pub(crate) fn with_room<T: Send>(
    bytes: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, NoRoom> {
    if bytes <= AT_HAND {
        return Ok(work());
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(bytes + AT_HAND);
        let worker = builder.spawn_scoped(scope, work).map_err(|_| NoRoom)?;
        worker
            .join()
            .map_err(|panic| std::panic::resume_unwind(panic))
    })
}
