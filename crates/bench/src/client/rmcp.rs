//! rmcp's own client over its own child process, as its documentation shows it.

use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, Tool};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use tokio::process::Command;

use super::{ARGUMENTS, Client, server_command};
use crate::outcome::Outcome;
use crate::peer::PeerSpec;

/// A running rmcp service.
pub(crate) struct Rmcp(RunningService<RoleClient, ()>);

impl Client for Rmcp {
    type Tools = Vec<Tool>;

    async fn connect(peer: PeerSpec) -> Outcome<Self> {
        let mut command = Command::new(server_command()?);
        command.args(peer.arguments());
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
