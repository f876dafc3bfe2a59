//! mcp-schema.
