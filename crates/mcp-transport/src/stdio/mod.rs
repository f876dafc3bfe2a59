//! A connection to a server that is a process of ours: its pipes, its standard error, its end.
//! Processes themselves are in `process`; what is said over the pipes is not known here.

mod connect;
#[cfg(feature = "rmcp")]
mod rmcp_transport;
mod stderr;
mod supervise;
mod tail;

#[cfg(feature = "rmcp")]
pub use rmcp_transport::{StdioSendError, StdioTransport};
