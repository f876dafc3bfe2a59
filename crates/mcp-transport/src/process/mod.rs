//! Child processes in groups of their own: what to start, starting it, ending it, and a watcher
//! for the case that this process ends without doing so.
//!
//! It knows nothing of MCP: commands that are not servers use it as well.

mod environment;
mod error;
mod ladder;
mod spec;

// What only systems with process groups have; elsewhere a start answers `SpawnError::Unsupported`.
#[cfg(unix)]
mod exit;
#[cfg(unix)]
mod group;
#[cfg(unix)]
mod input;
#[cfg(unix)]
mod interpreter;
#[cfg(unix)]
mod leader;
#[cfg(unix)]
mod pipes;
#[cfg(unix)]
mod reaper;
#[cfg(unix)]
mod resolve;
#[cfg(unix)]
mod spawn;
#[cfg(unix)]
mod watcher;

#[cfg(all(test, unix))]
mod tests;

pub use environment::base_environment;
pub use error::{Searched, SpawnError};
pub use ladder::{EndStep, Ended, Ladder};
pub use spec::ProcessSpec;

#[cfg(unix)]
pub use group::ProcessGroup;
#[cfg(unix)]
pub use pipes::Pipes;
