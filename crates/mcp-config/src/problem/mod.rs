//! What is wrong, where, and what to do about it.
//!
//! Owns: the problem type, its one-line and its compiler-like form, escaping for terminals. Does not own: what counts
//! as a problem.

mod escape;
mod kind;
mod render;
mod short;

pub(crate) use escape::is_unsafe;
pub use escape::{escape_json, escape_terminal};
pub use kind::{Problem, Severity};
pub use render::{RenderOptions, render};
pub(crate) use short::{cut, short};
