//! JSON-RPC as text: taking a received line apart without building a tree, and writing messages.
//! It knows nothing of connections, tasks or time.

mod answer_id;
mod elements;
mod envelope;
mod kind;
mod members;
mod salvage;
mod writer;

pub(crate) use answer_id::AnswerId;
pub(crate) use elements::{Elements, each_element};
pub(crate) use envelope::{Envelope, Outcome};
pub(crate) use kind::kind_of;
pub(crate) use members::{Body, Member, Members, place_in};
pub(crate) use salvage::{embedded_answer, salvage_id};
pub(crate) use writer::{MessageWriter, ObjectWriter};

/// The largest message in either direction, without its line end.
pub const MAX_MESSAGE: usize = 16 * 1024 * 1024;
