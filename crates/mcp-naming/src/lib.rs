#![doc = include_str!("../README.md")]

mod batch;
mod derivation;
mod exposed;
mod pair;
mod problem;
mod saved;
mod scheme;
mod table;

pub use derivation::Derivation;
pub use exposed::ExposedName;
pub use problem::NameProblem;
pub use table::NameTable;
