//! This project's `Connection`, in both eras.

use mcp_transport::process::ProcessSpec;
use mcp_transport::{CallOptions, ClientInfo, Connection, Era, Events, Options, Tool};
use serde_json::value::RawValue;

use super::{ARGUMENTS, Client, Part, server_command, text_length};
use crate::outcome::Outcome;
use crate::peer::PeerSpec;

/// A connection of the `initialize` era, as rmcp's client makes it by default.
pub(crate) struct Ours {
    connection: Connection,
    arguments: Box<RawValue>,
    _events: Events,
}

/// A connection of the era without a handshake, whose requests carry more.
pub(crate) struct OursStateless(Ours);

impl Ours {
    async fn connect_in(era: Era, peer: PeerSpec) -> Outcome<Self> {
        let spec =
            ProcessSpec::new(server_command()?, std::env::current_dir()?).args(peer.arguments());
        let options = Options::new(ClientInfo::new("bench", "1")).era(Some(era));
        let (connection, events) = Connection::stdio(spec, options).await?;
        let arguments = RawValue::from_string(ARGUMENTS.to_owned())?;
        Ok(Self {
            connection,
            arguments,
            _events: events,
        })
    }
}

impl Client for Ours {
    type Tools = Vec<Tool>;

    async fn connect(peer: PeerSpec) -> Outcome<Self> {
        Self::connect_in(Era::Initialize, peer).await
    }

    async fn call(&self, tool: &'static str) -> Outcome<usize> {
        let result = self
            .connection
            .call_tool(tool, &self.arguments, CallOptions::default())
            .await?;
        // The others give the decoded text, so this one must too.
        let parts: Vec<Part<'_>> = serde_json::from_str(result.content().unwrap_or("[]"))?;
        Ok(text_length(&parts))
    }

    async fn list(&self) -> Outcome<(Self::Tools, usize)> {
        let tools = self.connection.tools().await?.items;
        let count = tools.len();
        Ok((tools, count))
    }
}

impl Client for OursStateless {
    type Tools = Vec<Tool>;

    async fn connect(peer: PeerSpec) -> Outcome<Self> {
        Ok(Self(Ours::connect_in(Era::Stateless, peer).await?))
    }

    async fn call(&self, tool: &'static str) -> Outcome<usize> {
        self.0.call(tool).await
    }

    async fn list(&self) -> Outcome<(Self::Tools, usize)> {
        self.0.list().await
    }
}
