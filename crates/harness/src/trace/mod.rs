//! The record of a playing: what passed between the model or program, the host and the servers, as the host saw it.
//! It owns what is kept and how it is heard; drawing it is `report`'s.

mod entry;
mod listener;
mod recorder;

pub use entry::{Direction, Entry, Message};
pub(crate) use recorder::Recorder;
