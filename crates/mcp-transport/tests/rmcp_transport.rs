//! rmcp's own client over this crate's stdio link.
#![cfg(all(feature = "rmcp", unix))]
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mcp_transport::process::ProcessSpec;
use mcp_transport::{MAX_MESSAGE, Mask, StdioTransport};
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{Peer, RunningService, ServiceError};
use rmcp::{RoleClient, ServiceExt};
use serde_json::json;

/// No step of a test takes this long unless it hangs.
const LIMIT: Duration = Duration::from_secs(30);

async fn within<F: Future>(what: &str, future: F) -> F::Output {
    let Ok(output) = tokio::time::timeout(LIMIT, future).await else {
        panic!("{what} did not happen within {LIMIT:?}");
    };
    output
}

/// Cargo builds the examples beside the tests.
fn fixture_server() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    profile.join("examples/fixture-server")
}

/// A server with one tool, `t`, that does these steps.
fn transport(steps: &serde_json::Value, rules: &serde_json::Value) -> StdioTransport {
    let script = json!({
        "tools": [{ "name": "t", "inputSchema": { "type": "object" } }],
        "calls": { "t": steps },
        "rules": rules,
    });
    let spec = ProcessSpec::new(fixture_server(), "/")
        .args([String::from("--script-json"), script.to_string()])
        .env([("PATH", "/usr/bin:/bin")]);
    StdioTransport::spawn(&spec, Mask::new(["hunter22"])).unwrap()
}

async fn connect(steps: serde_json::Value) -> RunningService<RoleClient, ()> {
    let transport = transport(&steps, &json!([]));
    within("a connection", ().serve(transport)).await.unwrap()
}

async fn call(peer: &Peer<RoleClient>) -> Result<CallToolResult, ServiceError> {
    let call = peer.call_tool(CallToolRequestParams::new("t"));
    within("an answer", call).await
}

#[tokio::test]
async fn tools_are_listed_and_called_through_the_client_of_rmcp() {
    let client = connect(json!({ "text": "done" })).await;
    let tools = within("a list", client.list_all_tools()).await.unwrap();
    assert_eq!(tools.len(), 1);
    assert_eq!(tools[0].name, "t");
    let result = call(&client).await.unwrap();
    assert_eq!(result.content[0].as_text().unwrap().text, "done");
    within("the end", client.cancel()).await.unwrap();
}

#[tokio::test]
async fn what_is_no_message_is_skipped() {
    let client = connect(json!([
        { "stdout": "debug: one\n\n   \n\u{feff}\n" },
        { "stdout": { "hex": "fffe00", "times": 1000 } },
        { "stdout": "no line end " },
        { "text": "done" }
    ]))
    .await;
    let result = call(&client).await.unwrap();
    assert_eq!(result.content[0].as_text().unwrap().text, "done");
    within("the end", client.cancel()).await.unwrap();
}

#[tokio::test]
async fn an_answer_that_cannot_come_fails_its_request_at_once() {
    for (steps, expected) in [
        (
            json!([{ "stderr": "fatal: hunter22 is wrong\n" }, { "exit": 7 }]),
            "server exited (exit status: 7); stderr: fatal: [SECRET] is wrong",
        ),
        (
            json!([{ "stderr": "boom\n" }, "closeStderr", "closeStdout", { "sleepMs": 60_000 }]),
            "server closed its output; stderr: boom",
        ),
        (
            json!({ "stdout": { "text": "x".repeat(1024), "times": MAX_MESSAGE / 1024 + 1 } }),
            "message larger than 16 MiB",
        ),
        (
            json!({ "send": { "jsonrpc": "2.0", "id": { "@id": true }, "error": "oops" } }),
            "the server's answer is malformed: ",
        ),
    ] {
        let client = connect(steps).await;
        match call(&client).await {
            Err(ServiceError::McpError(error)) => {
                assert!(error.message.starts_with(expected), "{}", error.message);
            }
            other => panic!("{expected}: {other:?}"),
        }
        // Bounded, although the server may be deaf.
        let _ = within("the end", client.cancel()).await;
    }
}

#[tokio::test]
async fn an_id_that_became_text_still_finds_its_request() {
    let answer = json!({ "send": { "jsonrpc": "2.0", "id": { "@text": { "@id": true } },
        "result": { "content": [] } } });
    let client = connect(answer).await;
    assert!(call(&client).await.unwrap().content.is_empty());
    within("the end", client.cancel()).await.unwrap();
}

#[tokio::test]
async fn a_server_that_reads_nothing_does_not_hold_up_the_end() {
    let rules = json!([{ "when": "eof", "do": [] }, { "when": "SIGTERM", "do": [] }]);
    let transport = transport(&json!([{ "stopReading": {} }]), &rules);
    let client = within("a connection", ().serve(transport)).await.unwrap();
    let peer = client.peer().clone();
    let large = json!({ "text": "x".repeat(4 << 20) });
    let arguments = large.as_object().cloned().unwrap();
    let blocked = async {
        for _ in 0..3 {
            let call = CallToolRequestParams::new("t").with_arguments(arguments.clone());
            let _ = tokio::time::timeout(Duration::from_millis(50), peer.call_tool(call)).await;
        }
    };
    within("the blocked calls", blocked).await;
    within("the end", client.cancel()).await.unwrap();
}
