//! From an entry as written to what a connection is made of. Pure: the environment is a snapshot, and the outputs of
//! commands are given.
//!
//! Owns: expansion of templates, the checks afterwards, the values to mask, the contract of a command runner. Does not
//! own: running anything.

mod command;
mod digest;
mod environment;
mod error;
mod expand;
mod header;
mod mask;
mod outputs;
mod runner;
mod server;

pub use command::Command;
pub(crate) use digest::variables_digest;
pub use digest::{Digest, DigestKey};
pub use environment::Environment;
pub use error::{ResolveError, ResolveErrors};
pub(crate) use header::literal_header_fault;
pub use outputs::{CommandFailure, Outputs};
pub use runner::{CommandRunner, KILL_GRACE, OUTPUT_LIMIT, RunningCommand, TIME_LIMIT};
pub(crate) use server::resolve;
pub use server::{ResolvedServer, ResolvedTransport};
