//! A flat outline of a schema: which schema objects it has, and which apply where. It answers what
//! the validator cannot be asked: what a validation costs, where a null may be left out, what a
//! pattern that is switched off takes with it. It judges no instance but null.

mod build;
mod cost;
mod edge;
mod graph;
mod keywords;
mod measure;
mod null;
mod order;
mod references;

pub(crate) use build::outline;
pub(crate) use cost::{Cost, Load};
pub(crate) use edge::{Place, Via};
pub(crate) use graph::{Broken, NodeId, Outline};
pub(crate) use references::is_address;
