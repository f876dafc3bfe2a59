//! This project's `Session` around one server: names, validation, hooks and conversion included.

use std::path::Path;
use std::time::Duration;

use mcp_config::Layer;
use mcp_session::{ContentPart, Exchange, Session};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::{ARGUMENTS, Client, server_command};
use crate::outcome::Outcome;
use crate::peer::{PeerSpec, STDIO_COMMAND};

/// A busy machine starts a hundred servers in more than the usual wait.
const PATIENCE: Duration = Duration::from_mins(2);

/// A session with an exchange under way.
pub(crate) struct InSession {
    exchange: Exchange,
    tool: String,
    _session: Session,
    _folder: TempDir,
}

impl Client for InSession {
    /// They are the exchange's.
    type Tools = ();

    async fn connect(peer: PeerSpec) -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        configure(folder.path(), peer, 1)?;
        let session = session(folder.path());
        let exchange = session.begin_exchange().await?;
        let tool = exchange.tools().first().ok_or("no tool was declared")?;
        Ok(Self {
            tool: tool.name().to_owned(),
            exchange,
            _session: session,
            _folder: folder,
        })
    }

    async fn call(&self, _tool: &'static str) -> Outcome<usize> {
        let result = self.exchange.call(&self.tool, ARGUMENTS).await;
        if result.is_error {
            return Err(result.text().into());
        }
        Ok(result.content.iter().map(ContentPart::len).sum())
    }

    async fn list(&self) -> Outcome<(Self::Tools, usize)> {
        Ok(((), self.exchange.tools().len()))
    }
}

/// Writes the configuration of that many servers into the folder.
pub(crate) fn configure(folder: &Path, peer: PeerSpec, servers: usize) -> Outcome<()> {
    let entry = json!({
        "command": server_command()?,
        "args": peer.arguments(STDIO_COMMAND),
    });
    let entries: Map<String, Value> = (0..servers)
        .map(|number| (format!("server{number}"), entry.clone()))
        .collect();
    let text = json!({ "mcpServers": entries }).to_string();
    Ok(std::fs::write(folder.join("mcp.json"), text)?)
}

/// A session with the folder's configuration.
pub(crate) fn session(folder: &Path) -> Session {
    Session::builder()
        .layers([Layer::user(folder.join("mcp.json"))])
        .base(folder)
        .initial_wait(PATIENCE)
        .build()
}
