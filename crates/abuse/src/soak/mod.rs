//! Soak: very many calls over many servers that are replaced and crash now and then; what the host
//! uses must not grow with them.

mod host;
mod run;
mod sample;

pub(crate) use run::{SoakArguments, run};
