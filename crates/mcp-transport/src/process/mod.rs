//! Child processes in groups of their own: what to start, starting it, ending it, and a watcher
//! for the case that this process ends without doing so.
//!
//! It knows nothing of MCP: commands that are not servers use it as well.

mod environment;
mod error;
mod exit;
mod group;
mod interpreter;
mod ladder;
mod leader;
mod pipes;
mod reaper;
mod resolve;
mod spawn;
mod spec;
mod watcher;

#[cfg(test)]
mod tests;

pub use environment::base_environment;
pub use error::{Searched, SpawnError};
pub use group::ProcessGroup;
pub use ladder::{EndStep, Ended, Ladder};
pub use pipes::Pipes;
pub use spec::ProcessSpec;
