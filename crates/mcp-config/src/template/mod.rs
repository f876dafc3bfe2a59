//! The values of `env` and `headers`: references to variables, and commands.
//!
//! Owns: the grammar of one value and how a value is shown without its credentials. Does not own: where variables and
//! outputs come from (`resolve`), and what is checked afterwards.

mod foreign;
mod kind;
mod parse;
mod show;

pub(crate) use foreign::{foreign_references, unfinished_reference, windows_reference};
pub use kind::Template;
pub(crate) use kind::{Fallback, Form, Part};
