//! A configuration as people look at it: each value, where it comes from, and what it took the place of.
//!
//! Owns: what is shown and what is hidden, as JSON and as text. Does not own: any decision.

mod describe;
mod json;
mod model;
mod text;

pub use describe::explain;
pub use model::Explanation;
