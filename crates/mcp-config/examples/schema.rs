//! Prints the JSON Schema of `mcp.json`.
//!
//! ```text
//! cargo run -p mcp-config --example schema > crates/mcp-config/schema/mcp.schema.json
//! ```

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let json = serde_json::to_string_pretty(&mcp_config::json_schema())?;
    writeln!(std::io::stdout(), "{json}")
}
