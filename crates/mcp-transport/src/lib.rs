//! mcp-transport.
