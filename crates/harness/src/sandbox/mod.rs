//! The world of one scenario: its own folders, environment, fixture servers, gates and journals, and the
//! proof that nothing of it is left. It knows no session and no artifact.

mod folders;
mod journal;
mod launcher;
mod leak;
mod web;

pub use folders::{Place, Sandbox, SandboxError};
pub use launcher::Fixture;
pub(crate) use launcher::LAUNCHER as FIXTURE_COMMAND;
pub use leak::{Leak, find_leaks};
