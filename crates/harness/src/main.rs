//! The `mcp-harness` command.

fn main() {}
