//! mcp-transport.

#[cfg(all(feature = "stdio", unix))]
pub mod process;
