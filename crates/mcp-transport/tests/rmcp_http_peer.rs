//! HTTP servers of an independent make, built on rmcp, in both eras.
#![cfg(feature = "http")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use mcp_transport::{CallOptions, Connection, Era, HttpSpec, Options, RequestError};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::task::JoinSet;

/// A server with one tool that echoes its arguments.
#[derive(Clone)]
struct Echo {
    versions: &'static [ProtocolVersion],
}

const OLD: &[ProtocolVersion] = &[ProtocolVersion::V_2025_11_25];

impl ServerHandler for Echo {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.versions)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut schema = Map::new();
        schema.insert("type".to_owned(), Value::from("object"));
        Ok(ListToolsResult::with_all_items(vec![Tool::new(
            "echo",
            "Says it again",
            Arc::new(schema),
        )]))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if call.name != "echo" {
            return Err(ErrorData::invalid_params("no such tool", None));
        }
        let text = serde_json::to_string(&call.arguments).unwrap_or_default();
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

/// Lists, calls, hears an error, closes.
async fn prove(connection: Connection, era: Era) {
    assert_eq!(connection.server().era, era);
    let tools = connection.tools().await.unwrap();
    assert_eq!(
        (tools.items.len(), tools.items[0].name.as_str()),
        (1, "echo")
    );
    let arguments = RawValue::from_string(r#"{"n":1}"#.to_owned()).unwrap();
    let result = connection
        .call_tool("echo", &arguments, CallOptions::new())
        .await
        .unwrap();
    assert!(
        result.content().unwrap().contains(r#"{\"n\":1}"#),
        "{}",
        result.raw()
    );
    let error = connection
        .call_tool("other", &arguments, CallOptions::new())
        .await
        .unwrap_err();
    assert!(
        matches!(&error, RequestError::Server { code: -32602, message, .. } if message == "no such tool"),
        "{error:?}"
    );
    connection.close().await;
}

#[tokio::test]
async fn it_is_spoken_to_with_and_without_sessions_as_json_and_as_events() {
    for (versions, era) in [
        (OLD, Era::Initialize),
        (ProtocolVersion::KNOWN_VERSIONS, Era::Stateless),
    ] {
        for (json, sessions) in [(true, false), (false, false), (false, true)] {
            let config = StreamableHttpServerConfig::default()
                .with_legacy_session_mode(sessions)
                .with_json_response(json)
                .with_sse_keep_alive(Some(Duration::from_secs(5)));
            let service = StreamableHttpService::new(
                move || Ok(Echo { versions }),
                Arc::new(LocalSessionManager::default()),
                config,
            );
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = format!("http://{}/mcp", listener.local_addr().unwrap());
            let mut tasks = JoinSet::new();
            tasks.spawn(async move {
                let _ =
                    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await;
            });
            let spec = HttpSpec::new(&url).unwrap();
            let (connection, _events) = Connection::http(spec, Options::default()).await.unwrap();
            prove(connection, era).await;
        }
    }
}
