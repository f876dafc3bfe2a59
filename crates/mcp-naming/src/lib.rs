//! mcp-naming.
