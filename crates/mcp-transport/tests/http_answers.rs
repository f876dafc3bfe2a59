//! What HTTP servers, gateways and proxies answer to a call, and what a caller makes of it.
#![cfg(all(feature = "http", feature = "stdio"))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod http_support;
mod stdio_support;

use http_support::Site;
use mcp_transport::{Options, RequestError};
use serde_json::{Value, json};
use stdio_support::{call, text_of};

/// The answer `ok` to the request, as the fixture fills it in.
fn answer() -> Value {
    json!({ "jsonrpc": "2.0", "id": { "@id": true }, "result": { "content": [{ "type": "text", "text": "ok" }] } })
}

fn respond(status: u16, media: &str, body: &str) -> Value {
    json!({ "respond": { "status": status, "headers": { "Content-Type": media }, "body": body } })
}

#[tokio::test]
async fn an_answer_is_understood_in_every_form() {
    let json = |media: &str| json!({ "respond": { "status": 200, "headers": { "Content-Type": media }, "json": answer() } });
    let encoded = |coding: &str| json!({ "respond": { "status": 200, "headers": { "Content-Type": "application/json", "Content-Encoding": coding }, "json": answer() } });
    let event = |before: &str, after: &str| json!([{ "write": [before, { "json": answer() }, after] }, "endStream"]);
    for (what, steps) in [
        ("charset", json("application/json; charset=utf-8")),
        ("case", json("Application/JSON")),
        (
            "no content type",
            json!({ "respond": { "status": 200, "json": answer() } }),
        ),
        ("plain text", json("text/plain")),
        ("a page, by its name", json("text/html; charset=UTF-8")),
        ("a type of its own", json("application/vnd.example+json")),
        (
            "byte order mark without content type",
            json!([{ "socket": ["HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\u{feff}", { "json": answer() }] }, "cut"]),
        ),
        ("coding: none", encoded("none")),
        ("coding: empty", encoded("")),
        ("coding: a character set", encoded("UTF-8")),
        ("coding: identity, twice", encoded("identity, Identity")),
        (
            "unasked compression",
            json!({ "respond": { "status": 200, "headers": { "Content-Type": "application/json" }, "json": answer(), "gzip": true } }),
        ),
        ("event", event("data: ", "\n\n")),
        (
            "priming event",
            event("id: 0\nretry: 3000\ndata: \n\ndata: ", "\n\n"),
        ),
        (
            "comment and CRLF",
            event(": hello\r\n\r\nevent: message\r\ndata: ", "\r\n\r\n"),
        ),
        ("no closing blank line", event("data: ", "\n")),
        ("no line end", event("data: ", "")),
        ("byte order mark", event("\u{feff}data: ", "\n\n")),
        (
            "single bytes",
            json!([{ "output": { "chunk": 1 } }, { "write": ["data: ", { "json": answer() }, "\r\n\r\n"] }, "endStream"]),
        ),
        (
            "a stream that goes on",
            json!([{ "event": { "data": answer() } }, { "gate": "never" }]),
        ),
        (
            "no closing blank line on a stream that goes on",
            json!([{ "write": ["data: ", { "json": answer() }, "\n"] }, { "gate": "never" }]),
        ),
        (
            "noise before",
            json!([{ "event": { "data": { "level": "info" } } }, { "text": "ok" }]),
        ),
    ] {
        let site = Site::with_tool(&steps);
        let (connection, _events) = site.session().await;
        assert_eq!(text_of(call(&connection, "t").await), "ok", "{what}");
        assert_eq!(text_of(call(&connection, "t").await), "ok", "{what}, again");
        connection.close().await;
    }
}

/// What is answered to a call, and what its error says.
fn no_answers() -> Vec<(Value, &'static str)> {
    let envelope = |id: Value, body: Value| {
        let mut message = json!({ "jsonrpc": "2.0", "id": id });
        message
            .as_object_mut()
            .unwrap()
            .extend(body.as_object().unwrap().clone());
        json!({ "respond": { "status": 200, "headers": { "Content-Type": "application/json" }, "json": message } })
    };
    let id = json!({ "@id": true });
    vec![
        (
            respond(
                502,
                "text/html",
                "<html><title>502 Bad Gateway</title><h1>nginx</h1></html>",
            ),
            "HTTP 502 to tools/call: text/html: 502 Bad Gateway nginx",
        ),
        (
            respond(200, "text/html", "<p>Please <b>log in</b></p>"),
            "HTTP 200 to tools/call: text/html: Please log in",
        ),
        (
            respond(500, "text/plain", "boom\u{1b}[31m"),
            "HTTP 500 to tools/call: text/plain: boom [31m",
        ),
        (respond(404, "text/plain", ""), "expired"),
        (respond(200, "application/json", ""), "empty response"),
        (
            respond(200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":"),
            "holds no answer",
        ),
        (respond(200, "application/json", "null"), "holds no answer"),
        (respond(202, "text/plain", "Accepted"), "HTTP 202"),
        (respond(204, "text/plain", ""), "HTTP 204"),
        (
            envelope(
                id.clone(),
                json!({ "error": { "code": -32601, "message": "unknown tool" } }),
            ),
            "server error -32601: unknown tool",
        ),
        (envelope(id.clone(), json!({})), "neither"),
        (
            envelope(json!(77), json!({ "result": {} })),
            "holds no answer",
        ),
        (
            json!({ "respond": { "status": 200, "headers": { "Content-Type": "application/json", "Content-Encoding": "br" }, "body": "x" } }),
            "content encoding",
        ),
        (
            json!({ "respond": { "status": 200, "headers": { "Content-Type": "application/json", "Content-Encoding": "identity, GZIP" }, "body": "x" } }),
            "content encoding",
        ),
        (
            respond(200, "text/plain", "{\"login\":\"first\"}"),
            "text/plain: {\"login\":\"first\"}",
        ),
    ]
}

/// The same for streams, and for nothing at all.
fn broken_answers() -> Vec<(Value, &'static str)> {
    vec![
        (json!(["endStream"]), "ended without an answer"),
        (
            json!([{ "write": ["event: error\ndata: {\"error\":\"upstream gone\"}\n\n"] }, "endStream"]),
            "ended without an answer: {\"error\":\"upstream gone\"}",
        ),
        (
            json!([{ "event": { "data": { "x": 1 } } }, "cut"]),
            "broke off",
        ),
        (json!("reset"), "outcome of the request is unknown"),
    ]
}

#[tokio::test]
async fn what_is_no_answer_fails_the_call_and_says_what_came() {
    for (steps, says) in no_answers().into_iter().chain(broken_answers()) {
        let site = Site::with_tool(&steps);
        let (connection, _events) = site.session().await;
        let error = call(&connection, "t").await.unwrap_err().to_string();
        assert!(error.contains(says), "{steps}: {error}");
        assert_eq!(
            site.requests("tools/call").len(),
            1,
            "a call is never repeated: {steps}"
        );
        assert!(!connection.dropped(), "{steps}");
        connection.close().await;
    }
}

#[tokio::test]
async fn a_json_rpc_error_in_a_refusal_keeps_code_message_and_status() {
    for status in [400, 403, 404, 500, 503] {
        let steps = json!({ "respond": { "status": status, "headers": { "Content-Type": "application/json" },
            "json": { "jsonrpc": "2.0", "id": { "@id": true }, "error": { "code": -32602, "message": "bad city" } } } });
        let site = Site::new(
            &json!({ "tools": [], "calls": { "t": steps }, "http": { "sessions": false } }),
        );
        let (connection, _events) = site.session().await;
        match call(&connection, "t").await.unwrap_err() {
            RequestError::Server {
                code: -32602,
                message,
                http_status,
                ..
            } => {
                assert_eq!((message.as_str(), http_status), ("bad city", Some(status)));
            }
            RequestError::NeedsAuth { refusal, .. } if status == 403 => {
                assert!(refusal.excerpt.contains("bad city"));
            }
            other => panic!("{status}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn any_success_is_enough_for_a_notification() {
    for response in [
        json!({ "status": 200 }),
        json!({ "status": 200, "headers": { "Content-Type": "application/json" }, "body": "null" }),
        json!({ "status": 200, "headers": { "Content-Type": "application/json" }, "body": "{}" }),
        json!({ "status": 200, "headers": { "Content-Type": "application/json" }, "body": "" }),
        json!({ "status": 200, "headers": { "Content-Type": "application/json" }, "body": r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}"# }),
        json!({ "status": 202, "headers": { "Content-Type": "text/plain; charset=UTF-8" }, "body": "Accepted" }),
        json!({ "status": 204 }),
    ] {
        let site = Site::new(&json!({
            "tools": [],
            "calls": { "t": { "text": "ok" } },
            "rules": [{ "when": "notifications/initialized", "do": { "respond": response } }],
        }));
        let (connection, _events) = site.session().await;
        assert_eq!(text_of(call(&connection, "t").await), "ok", "{response}");
        connection.close().await;
    }
}

#[tokio::test]
async fn a_server_that_knows_no_notifications_can_be_used_all_the_same() {
    for (status, body) in [
        (404, ""),
        (405, ""),
        (400, "Invalid session"),
        (500, ""),
        (501, ""),
    ] {
        let refused = respond(status, "text/plain", body);
        let site = Site::new(&json!({ "tools": [], "calls": { "t": { "text": "ok" } },
            "rules": [{ "when": "notifications/initialized", "do": refused }] }));
        let (connection, _events) = site.session().await;
        assert_eq!(text_of(call(&connection, "t").await), "ok", "{status}");
        assert!(site.requests("DELETE").is_empty());
        connection.close().await;
    }
}

#[tokio::test]
async fn the_request_headers_are_exactly_what_strict_servers_want() {
    let site = Site::with_tool(&json!({ "text": "ok" }));
    let (connection, _events) = site.session().await;
    call(&connection, "t").await.unwrap();
    let headers = site.requests("tools/call")[0]["headers"].clone();
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["accept"], "application/json, text/event-stream");
    assert_eq!(headers["mcp-protocol-version"], "2025-11-25");
    assert!(headers["mcp-session-id"].is_string());
    let first = site.requests("initialize")[0]["headers"].clone();
    assert!(
        first["mcp-protocol-version"].is_null() && first["mcp-session-id"].is_null(),
        "{first}"
    );
}

#[tokio::test]
async fn an_answer_over_the_limit_fails_the_call_alone() {
    let huge = json!({ "@repeat": { "text": "0123456789abcdef", "times": 1_100_000 } });
    for steps in [
        json!({ "text": huge }),
        json!([{ "notify": { "method": "notifications/x" } }, { "text": huge }]),
    ] {
        let site = Site::with_tool(&json!([{ "repeat": { "times": 1, "do": steps } }]));
        let (connection, _events) = site.session().await;
        let error = call(&connection, "t").await.unwrap_err().to_string();
        assert!(error.contains("larger than"), "{error}");
        assert!(!connection.dropped());
        assert!(connection.tools().await.is_ok());
    }
}

#[tokio::test]
async fn one_connection_serves_sequential_calls() {
    // A server that tells of no changes is not listened to, so that nothing else has a connection.
    let site = Site::new(
        &json!({ "versions": ["2026-07-28"], "capabilities": { "tools": {} }, "journal": ["connections"],
        "tools": [{ "name": "t", "inputSchema": { "type": "object" } }], "calls": { "t": { "text": "ok" } } }),
    );
    let (connection, _events) = site.connect(Options::default()).await.unwrap();
    for _ in 0..5 {
        call(&connection, "t").await.unwrap();
    }
    let connections: Vec<_> = site
        .requests("tools/call")
        .iter()
        .map(|line| line["connection"].clone())
        .collect();
    assert!(
        connections
            .iter()
            .all(|connection| *connection == connections[0]),
        "{connections:?}"
    );
}
