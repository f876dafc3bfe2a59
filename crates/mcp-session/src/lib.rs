//! mcp-session.
