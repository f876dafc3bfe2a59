//! Errors of the validator in words: one line each, for a model or a person.

mod branches;
mod fault;
mod kinds;
mod suggest;
mod value;

pub(crate) use fault::{Subject, schema_fault, violations};
pub(crate) use kinds::wrong_type;
pub(crate) use value::{preview, quoted};
