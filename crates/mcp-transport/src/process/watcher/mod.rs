//! The watcher: a small shell, one for the whole program, that ends the groups of a host that died.
//!
//! It is told each group over a pipe. When the host ends, however it ends, the system closes the
//! host's end of that pipe, and the watcher kills the groups that it still knows. It lives as long
//! as there is a group to watch. What it cannot reach: groups of a host that dies in the instant
//! between a start and its notice, and all of them if it is killed together with the host.

mod lease;
mod registry;
mod shell;

pub(super) use lease::Lease;
