//! Files, layers, and which entry wins.
//!
//! Owns: reading the files of layers, the shape of a whole file, replacement and override, trust, what is kept of a
//! file that got broken. Does not own: what a single entry may say.

mod file;
mod fingerprint;
mod layer;
mod load;
mod locations;
mod merge;
mod pending;
mod reader;
mod reading;
mod reveal;
mod root;
mod server;
mod shape;

pub use file::MAX_FILE_SIZE;
pub use fingerprint::{Fingerprint, ParseFingerprintError};
pub use layer::{Layer, Trust};
pub use load::{Config, LayerSource, Outcome, load};
pub use locations::Locations;
pub use pending::{PendingEntry, PendingKind};
pub use reader::ConfigReader;
pub use server::{FailedEntry, Server};
