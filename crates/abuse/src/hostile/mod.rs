//! Hostile servers: each attack against a host of its own, which has two good servers beside the bad one.

mod attacks;
mod report;
mod run;
mod victim;

pub(crate) use run::{HostileArguments, run};
pub(crate) use victim::{VictimArguments, host};
