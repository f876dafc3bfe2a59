//! The log file that all servers of a home directory share: `<home>/mcp.log`.
//!
//! It takes entries that are masked already, and knows nothing of connections.

mod file;
mod log;
mod queue;
mod record;
mod time;
mod worker;

pub use log::ServerLog;
pub use record::LogRecord;
