//! Failures that pass: what is tried again, and that a call never is.
#![cfg(all(feature = "http", feature = "stdio"))]

mod http_support;
mod stdio_support;

use http_support::Site;
use mcp_transport::{ConnectError, Era, Options, RequestError};
use serde_json::{Value, json};
use stdio_support::{call, within};

/// A rule that fails the first `times` requests of a method.
fn failing(when: &str, times: u32, step: &Value) -> Value {
    json!({ "when": when, "nth": format!("..{times}"), "do": step })
}

fn status(status: u16) -> Value {
    json!({ "respond": { "status": status, "headers": { "Retry-After": "0" } } })
}

#[tokio::test]
async fn connecting_listing_and_reading_survive_failures_that_pass() {
    for step in [
        status(408),
        status(429),
        status(502),
        status(503),
        status(504),
        json!("reset"),
        json!("cut"),
    ] {
        let site = Site::new(&json!({
            "tools": [{ "name": "t", "inputSchema": { "type": "object" } }],
            "resources": [{ "uri": "file:///a", "name": "a" }],
            "reads": { "file:///a": { "result": { "contents": [] } } },
            "rules": [
                failing("initialize", 2, &step),
                failing("notifications/initialized", 1, &step),
                failing("tools/list", 2, &step),
                failing("resources/read", 1, &step),
            ],
        }));
        let (connection, _events) = site
            .connect(Options::default().era(Some(Era::Initialize)))
            .await
            .unwrap();
        assert_eq!(connection.tools().await.unwrap().items.len(), 1, "{step}");
        connection.read_resource("file:///a").await.unwrap();
        for (method, times) in [
            ("initialize", 3),
            ("notifications/initialized", 2),
            ("tools/list", 3),
            ("resources/read", 2),
        ] {
            let sent = site.requests(method).len();
            // A client that pools connections may itself repeat what a closed one never carried.
            assert!(sent >= times, "{method} after {step}: {sent}");
        }
    }
}

#[tokio::test]
async fn a_call_is_never_sent_again() {
    for step in [
        status(408),
        status(429),
        status(502),
        status(503),
        status(504),
        json!("reset"),
        json!("cut"),
    ] {
        let site =
            Site::new(&json!({ "tools": [], "rules": [{ "when": "tools/call", "do": step }] }));
        let (connection, _events) = site.session().await;
        let error = call(&connection, "t").await.unwrap_err();
        assert!(
            matches!(
                error,
                RequestError::Http { .. } | RequestError::Network { sent: true, .. }
            ),
            "{error:?}"
        );
        assert!(!error.to_string().is_empty());
        assert_eq!(site.requests("tools/call").len(), 1, "{step}");
    }
}

#[tokio::test]
async fn failures_that_do_not_pass_end_after_a_bound() {
    for (step, tries) in [
        (status(503), 4),
        (status(500), 1),
        (
            json!({ "respond": { "status": 503, "headers": { "Retry-After": "3600" } } }),
            1,
        ),
    ] {
        let site =
            Site::new(&json!({ "tools": [], "rules": [{ "when": "tools/list", "do": step }] }));
        let (connection, _events) = site.session().await;
        let error = within("the list", connection.tools()).await.unwrap_err();
        assert!(matches!(error, RequestError::Http { .. }), "{error:?}");
        assert_eq!(site.requests("tools/list").len(), tries, "{step}");
    }
}

#[tokio::test]
async fn a_retry_after_date_is_understood() {
    let date = json!({ "respond": { "status": 503, "headers": { "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT" } } });
    let site = Site::new(&json!({ "tools": [], "rules": [failing("tools/list", 1, &date)] }));
    let (connection, _events) = site.session().await;
    connection.tools().await.unwrap();
    assert_eq!(site.requests("tools/list").len(), 2);
}

#[tokio::test]
async fn initialize_is_sent_again_as_the_refusal_asks() {
    let text = |status: u16, body: &str| json!({ "respond": { "status": status, "headers": { "Content-Type": "text/plain" }, "body": body } });
    let wants_header = json!([{ "when": "initialize", "header": { "mcp-protocol-version": null }, "do": text(400, "missing header MCP-Protocol-Version") }]);
    let wants_older = json!([{ "when": "initialize", "nth": 1, "do": text(400, "supported versions: 2025-06-18, 2025-03-26") }]);
    for (rules, version) in [(wants_header, "2025-11-25"), (wants_older, "2025-06-18")] {
        let site = Site::new(
            &json!({ "tools": [], "rules": rules, "versions": ["2025-11-25", "2025-06-18"] }),
        );
        let (connection, _events) = site.session().await;
        assert_eq!(
            connection.server().protocol_version.as_str(),
            version,
            "{rules}"
        );
        assert_eq!(site.requests("initialize").len(), 2);
    }
    let site = Site::new(
        &json!({ "rules": [{ "when": "initialize", "do": text(400, "nothing helps") }] }),
    );
    let error = site.connect(Options::default()).await.unwrap_err();
    assert!(
        matches!(
            error,
            ConnectError::Request(RequestError::Http { status: 400, .. })
        ),
        "{error:?}"
    );
    assert!(error.to_string().contains("nothing helps"), "{error}");
}

#[tokio::test]
async fn a_legacy_server_is_found_whatever_it_answers_to_the_probe() {
    let text = |status: u16| json!({ "respond": { "status": status, "headers": { "Content-Type": "text/plain" }, "body": "what?" } });
    let error = |status: u16, code: i64| {
        json!({ "respond": { "status": status, "headers": { "Content-Type": "application/json" },
            "json": { "jsonrpc": "2.0", "id": { "@id": true }, "error": { "code": code, "message": "no" } } } })
    };
    let answers = [
        text(400),
        text(404),
        text(405),
        text(415),
        text(422),
        text(500),
        error(200, -32601),
        error(400, -32600),
        error(404, -32601),
        error(200, -32603),
        json!({ "result": {} }),
        json!({ "respond": { "status": 200, "headers": { "Content-Type": "text/html" }, "body": "<p>hello" } }),
        json!([{ "gate": "never" }]),
    ];
    for answer in answers {
        let site = Site::new(
            &json!({ "tools": [], "rules": [{ "when": "server/discover", "do": answer }] }),
        );
        let (connection, _events) = site.connect(Options::default()).await.unwrap();
        assert_eq!(connection.server().era, Era::Initialize, "{answer}");
    }
}
