//! mcp-config.
