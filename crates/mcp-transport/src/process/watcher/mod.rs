//! The watcher: a small shell, one for the whole program, that ends the groups of a host that died.
//!
//! It is told each group over a pipe. When the host ends, however it ends, the system closes the
//! host's end of that pipe, and the watcher kills the groups that it still knows. It lives as long
//! as there is something to watch.
//!
//! A start is told before it happens, so that a host may die at any moment; systems without `/proc`
//! lose a process that was started in that very moment. Out of reach: everything, if the watcher is
//! killed together with the host.

mod lease;
mod registry;
mod shell;
mod watched;

pub(super) use lease::Lease;
