//! The methods of a connection, one file a concern.

mod call;
mod complete;
mod input;
mod list;
mod listen;
mod manage;
mod prompts;
mod request;
mod resources;

pub(crate) use listen::start_listening;
