//! From the layers and the plugins of the mcp domain to the servers of one exchange.

mod bucket;
mod settled;

pub use bucket::{EditRefused, ServerBucket};
pub use settled::SettledServers;

pub(crate) use settled::Settled;
