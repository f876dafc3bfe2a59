//! rmcp's own client over its own transports, as its documentation shows them.

use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, Tool};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use tokio::process::Command;

use super::http_server::HttpServer;
use super::{ARGUMENTS, Client, server_command};
use crate::outcome::Outcome;
use crate::peer::{PeerSpec, STDIO_COMMAND};

/// A running rmcp service over a child process.
pub(crate) struct Rmcp(RunningService<RoleClient, ()>);

/// The same over HTTP with its default client, which opens a connection for each request.
pub(crate) type RmcpHttp = OverHttp<false>;
/// The same with a client given to it that keeps connections alive.
pub(crate) type RmcpHttpPooled = OverHttp<true>;

/// A running rmcp service over HTTP, with the server that it needs.
pub(crate) struct OverHttp<const POOLED: bool> {
    client: Rmcp,
    _server: HttpServer,
}

impl Client for Rmcp {
    type Tools = Vec<Tool>;

    async fn connect(peer: PeerSpec) -> Outcome<Self> {
        let mut command = Command::new(server_command()?);
        command.args(peer.arguments(STDIO_COMMAND));
        Ok(Self(().serve(TokioChildProcess::new(command)?).await?))
    }

    async fn call(&self, tool: &'static str) -> Outcome<usize> {
        let arguments = serde_json::from_str(ARGUMENTS)?;
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result = self.0.call_tool(params).await?;
        Ok(result
            .content
            .iter()
            .filter_map(|part| part.as_text())
            .map(|text| text.text.len())
            .sum())
    }

    async fn list(&self) -> Outcome<(Self::Tools, usize)> {
        let tools = self.0.list_all_tools().await?;
        let count = tools.len();
        Ok((tools, count))
    }
}

impl<const POOLED: bool> Client for OverHttp<POOLED> {
    type Tools = Vec<Tool>;

    async fn connect(peer: PeerSpec) -> Outcome<Self> {
        let server = HttpServer::start(peer).await?;
        let transport = if POOLED {
            let client = reqwest::Client::builder().no_proxy().build()?;
            let config = StreamableHttpClientTransportConfig::with_uri(server.url.as_str());
            StreamableHttpClientTransport::with_client(client, config)
        } else {
            StreamableHttpClientTransport::from_uri(server.url.as_str())
        };
        Ok(Self {
            client: Rmcp(().serve(transport).await?),
            _server: server,
        })
    }

    async fn call(&self, tool: &'static str) -> Outcome<usize> {
        self.client.call(tool).await
    }

    async fn list(&self) -> Outcome<(Self::Tools, usize)> {
        self.client.list().await
    }
}
