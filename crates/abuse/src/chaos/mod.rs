//! Chaos: hosts that live and die over many servers, with everything that can go wrong going wrong at
//! random; then what the hosts told is held against what the servers wrote down.
//!
//! The run owns the HTTP servers and starts one host process after another (`host`). A host owns a
//! session and makes all choices from the seed (`world`). It tells each call's end on its standard
//! output (`line`), which the run keeps (`ledger`) and finally compares with the journals.

mod configuration;
mod host;
mod ledger;
mod life;
mod line;
mod names;
mod population;
mod rest;
mod run;
mod tools;
mod world;

pub(crate) use host::{HostArguments, host};
pub(crate) use run::{ChaosArguments, run};
