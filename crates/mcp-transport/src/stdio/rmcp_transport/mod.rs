//! The stdio link as a transport of rmcp: a server's process group, its framing and its end, for a
//! program that leaves the protocol to rmcp's own client.

mod incoming;
mod pending;
mod read;
mod transport;

pub use transport::{StdioSendError, StdioTransport};
