//! A server built on rmcp, as an independent peer of the tests: `rmcp-server NEWEST-REVISION`.

use std::borrow::Cow;
use std::error::Error;
use std::future::pending;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

/// The tools, one page each.
const TOOLS: [&str; 4] = ["echo", "steps", "roots", "wait"];

struct Peer {
    versions: &'static [ProtocolVersion],
}

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        let newest = self.versions.last().map(ProtocolVersion::as_str);
        let info = json!({ "protocolVersion": newest, "capabilities": { "tools": { "listChanged": true } },
            "serverInfo": { "name": "rmcp-peer", "version": "1.0.0" }, "instructions": "Be quick." });
        serde_json::from_value(info).unwrap_or_default()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.versions)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let at: usize = cursor.and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
        let tools: Vec<_> = TOOLS
            .iter()
            .skip(at)
            .take(1)
            .map(|name| tool(name))
            .collect();
        let next = (at + 1 < TOOLS.len()).then(|| (at + 1).to_string());
        read(json!({ "tools": tools, "nextCursor": next }))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let text = match &*request.name {
            "echo" => json!(request.arguments).to_string(),
            "steps" => steps(&context).await,
            "roots" => match request.input_responses {
                Some(responses) => json!(responses).to_string(),
                None => return ask_for_roots(&context).await,
            },
            "wait" => pending().await,
            other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        };
        Ok(done(text))
    }
}

fn tool(name: &str) -> Value {
    json!({ "name": name, "description": name, "inputSchema": { "type": "object" } })
}

fn done(text: String) -> CallToolResponse {
    CallToolResponse::Complete(CallToolResult::success(vec![ContentBlock::text(text)]))
}

/// Tells its progress three times.
async fn steps(context: &RequestContext<RoleServer>) -> String {
    let Some(token) = context.meta.get_progress_token() else {
        return "no token".to_owned();
    };
    for step in 1..=3 {
        let progress = ProgressNotificationParam::new(token.clone(), f64::from(step));
        // A client that is gone hears of no progress.
        let _ = context.peer.notify_progress(progress).await;
    }
    "three steps".to_owned()
}

/// Asks for the host's roots in the way of the revision that is spoken.
async fn ask_for_roots(
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    if context
        .meta
        .contains_key("io.modelcontextprotocol/protocolVersion")
    {
        let requests = json!({ "roots": { "method": "roots/list" } });
        let required = json!({ "resultType": "input_required", "inputRequests": requests });
        return Ok(CallToolResponse::InputRequired(read(required)?));
    }
    #[expect(deprecated, reason = "servers of the older revisions ask in this way")]
    let roots = context.peer.list_roots().await;
    match roots {
        Ok(roots) => Ok(done(json!(roots).to_string())),
        Err(error) => Ok(done(error.to_string())),
    }
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let newest = std::env::args()
        .nth(1)
        .ok_or("usage: rmcp-server NEWEST-REVISION")?;
    let newest: ProtocolVersion = serde_json::from_value(json!(newest))?;
    let versions = ProtocolVersion::known_up_to(&newest);
    let service = Peer { versions }.serve(rmcp::transport::stdio()).await?;
    service.waiting().await?;
    Ok(())
}
