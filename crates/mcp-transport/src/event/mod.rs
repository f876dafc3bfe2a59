//! What a connection tells on its own: one ordered stream of events, and the queue behind it.

mod entry;
mod kind;
mod queue;
mod stream;

pub use entry::{LogEntry, LogSource};
pub use kind::Event;
pub(crate) use queue::EventQueue;
pub use stream::Events;
