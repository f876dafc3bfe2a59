//! Errors of the validator in words: one line each, for a model or a person.

mod branches;
mod fault;
mod kinds;
mod members;
mod suggest;
mod types;
mod value;

pub(crate) use fault::{Subject, is_open, schema_fault, violations};
pub(crate) use types::wrong_type;
pub(crate) use value::{preview, quoted};
