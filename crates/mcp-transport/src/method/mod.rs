//! The methods of a connection, one file a concern.

mod call;
mod complete;
mod input;
mod kept;
mod list;
mod listen;
mod manage;
mod prompts;
mod request;
mod resources;

pub(crate) use kept::KeptTools;
pub(crate) use listen::start_listening;
