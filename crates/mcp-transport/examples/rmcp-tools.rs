//! Lists a server's tools through rmcp's own client, over this crate's stdio link.
//!
//! `cargo run -p mcp-transport --features rmcp --example rmcp-tools -- COMMAND ARGS…`

use std::error::Error;
use std::io::Write;

use mcp_transport::process::{ProcessSpec, base_environment};
use mcp_transport::{Mask, StdioTransport};
use rmcp::ServiceExt;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let command = arguments.next().ok_or("usage: rmcp-tools COMMAND ARGS…")?;
    let spec = ProcessSpec::new(command, std::env::current_dir()?)
        .args(arguments)
        .env(base_environment(std::env::vars_os()));

    let client = ().serve(StdioTransport::spawn(&spec, Mask::default())?).await?;
    for tool in client.list_all_tools().await? {
        let description = tool.description.unwrap_or_default();
        let first_line = description.lines().next().unwrap_or_default();
        writeln!(
            std::io::stdout(),
            "{}  {}",
            tool.name,
            first_line.escape_debug()
        )?;
    }
    client.cancel().await?;
    Ok(())
}
