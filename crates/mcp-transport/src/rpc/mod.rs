//! The JSON-RPC core of a connection: requests and their answers, what the server says on its own, what
//! it asks of the host. It knows neither processes nor sockets; see `link` for what carries messages.

mod ask;
mod core;
mod deadline;
mod negotiated;
mod notice;
mod oddity;
mod pending;
mod receive;
mod reply;
mod serve;
mod server_error;
#[cfg(feature = "http")]
mod single;
mod tasks;

pub(crate) use ask::{Ask, Meta};
pub(crate) use core::Core;
pub(crate) use negotiated::Negotiated;

pub(crate) use reply::Reply;
