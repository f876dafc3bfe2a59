//! Where scenarios and artifacts live: folders on disk, or the ones built into the command. It owns names,
//! listing and writing; what the files say is `scenario`'s and `artifact`'s.

mod embedded;
mod files;
mod name;
mod strays;

pub use files::{Library, LibraryError, ScenarioSource};
pub use name::{Filter, ScenarioName};
