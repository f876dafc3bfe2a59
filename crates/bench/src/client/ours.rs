//! This project's `Connection`, over both links and in both eras.

use mcp_transport::process::ProcessSpec;
use mcp_transport::{CallOptions, ClientInfo, Connection, Era, Events, HttpSpec, Options, Tool};
use serde_json::value::RawValue;

use super::http_server::HttpServer;
use super::{ARGUMENTS, Client, Part, server_command, text_length};
use crate::outcome::Outcome;
use crate::peer::{PeerSpec, STDIO_COMMAND};

/// A connection of the `initialize` era, as rmcp's client makes it by default.
pub(crate) type Ours = Connected<false, false>;
/// A connection of the era without a handshake, whose requests carry more.
pub(crate) type OursStateless = Connected<false, true>;
/// The `initialize` era over HTTP.
pub(crate) type OursHttp = Connected<true, false>;
/// The era without a handshake over HTTP.
pub(crate) type OursHttpStateless = Connected<true, true>;

/// A connection with what it needs to stay.
pub(crate) struct Connected<const HTTP: bool, const STATELESS: bool> {
    connection: Connection,
    arguments: Box<RawValue>,
    _events: Events,
    _server: Option<HttpServer>,
}

impl<const HTTP: bool, const STATELESS: bool> Client for Connected<HTTP, STATELESS> {
    type Tools = Vec<Tool>;

    async fn connect(peer: PeerSpec) -> Outcome<Self> {
        let era = if STATELESS {
            Era::Stateless
        } else {
            Era::Initialize
        };
        let options = Options::new(ClientInfo::new("bench", "1")).era(Some(era));
        let (server, (connection, events)) = if HTTP {
            let server = HttpServer::start(peer).await?;
            let spec = HttpSpec::new(&server.url)?;
            (Some(server), Connection::http(spec, options).await?)
        } else {
            let spec = ProcessSpec::new(server_command()?, std::env::current_dir()?)
                .args(peer.arguments(STDIO_COMMAND));
            (None, Connection::stdio(spec, options).await?)
        };
        Ok(Self {
            connection,
            arguments: RawValue::from_string(ARGUMENTS.to_owned())?,
            _events: events,
            _server: server,
        })
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
