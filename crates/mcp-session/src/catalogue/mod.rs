//! The tools of one exchange, frozen: what the model is told, and what runs behind each name.

mod collect;
mod definition;
mod frozen;

pub use definition::{ToolDefinition, ToolSource};

pub(crate) use collect::{Offer, collect, unmatched};
pub(crate) use frozen::Catalogue;
