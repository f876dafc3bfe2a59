//! Odd but legal, or nearly legal, behaviour of HTTP servers that must not cost a session, a call or a secret.
#![cfg(all(feature = "http", feature = "stdio"))]

mod http_support;
mod stdio_support;

use http_support::Site;
use mcp_transport::{
    ConnectError, Connection, Era, Event, HttpSpec, Mask, NetworkFailure, Options, RequestError,
};
use serde_json::{Value, json};
use stdio_support::{call, text_of, within};

fn initialize_era() -> Options {
    Options::default().era(Some(Era::Initialize))
}

#[tokio::test]
async fn what_keeps_an_endpoint_from_being_reached_is_told_apart() {
    // It accepts, answers in plain text, and is gone.
    let plain = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = plain.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = plain.accept().unwrap();
        let _ = std::io::Read::read(&mut stream, &mut [0; 512]);
        let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    for (scheme, expected) in [
        ("https", NetworkFailure::Tls),
        ("http", NetworkFailure::Connection),
    ] {
        let spec = HttpSpec::new(&format!("{scheme}://127.0.0.1:{port}/mcp")).unwrap();
        let error = within("connecting", Connection::http(spec, Options::default()))
            .await
            .unwrap_err();
        let ConnectError::Request(RequestError::Network { cause, .. }) = error else {
            panic!("{error:?}");
        };
        assert_eq!(cause, expected, "{scheme}");
    }
    server.join().unwrap();
}

fn respond(status: u16, headers: &Value, body: &str) -> Value {
    json!({ "respond": { "status": status, "headers": headers, "body": body } })
}

fn answer() -> Value {
    json!({ "jsonrpc": "2.0", "id": { "@id": true }, "result": { "content": [{ "type": "text", "text": "ok" }] } })
}

#[tokio::test]
async fn a_message_that_only_mentions_sessions_ends_none() {
    let log = json!({ "notify": { "method": "notifications/message", "params": { "level": "error", "data": "session not found" } } });
    let error = json!({ "error": { "code": -32602, "message": "unknown browser session" } });
    let site = Site::new(
        &json!({ "tools": [], "calls": { "logs": [log, { "text": "ok" }], "refuses": error, "t": { "text": "ok" } } }),
    );
    let (connection, _events) = site.session().await;
    assert_eq!(text_of(call(&connection, "logs").await), "ok");
    let refused = call(&connection, "refuses").await.unwrap_err();
    assert!(
        matches!(refused, RequestError::Server { code: -32602, .. }),
        "{refused:?}"
    );
    assert_eq!(text_of(call(&connection, "t").await), "ok");
}

#[tokio::test]
async fn a_success_to_a_notification_that_does_not_end_holds_nobody_up() {
    for open in [
        json!([{ "event": { "comment": "hello" } }, { "gate": "never" }]),
        json!([{ "socket": "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf" }, { "gate": "never" }]),
    ] {
        let site = Site::new(
            &json!({ "tools": [], "journal": ["closed"], "calls": { "t": { "text": "ok" } }, "rules": [{ "when": "POST", "nth": 2, "do": open }] }),
        );
        let (connection, _events) = site.session().await;
        assert_eq!(text_of(call(&connection, "t").await), "ok");
        site.journalled("the end of the exchange", |line| line["closed"] == "POST")
            .await;
    }
}

#[tokio::test]
async fn an_error_page_that_does_not_end_is_told_with_what_came() {
    let steps = json!([{ "socket": "HTTP/1.1 500 No\r\nContent-Type: text/plain\r\nContent-Length: 500\r\n\r\nhalf a page" }, { "gate": "never" }]);
    let site = Site::new(&json!({ "tools": [], "rules": [{ "when": "tools/call", "do": steps }] }));
    let (connection, _events) = site.session().await;
    let error = call(&connection, "t").await.unwrap_err().to_string();
    assert_eq!(error, "HTTP 500 to tools/call: text/plain: half a page");
}

#[tokio::test]
async fn listening_and_the_end_follow_the_endpoint_to_where_it_moved() {
    let moved = respond(307, &json!({ "Location": "/mcp/" }), "");
    let rules: Vec<Value> = ["POST", "GET", "DELETE"]
        .iter()
        .map(|method| json!({ "when": method, "path": "/mcp", "do": moved }))
        .collect();
    let site = Site::new(
        &json!({ "tools": [], "rules": rules, "calls": { "t": [{ "changed": "tools" }, { "text": "ok" }] } }),
    );
    let spec = site.spec().header("X-Key", "k-1234567").unwrap();
    let (connection, mut events) = within("connecting", Connection::http(spec, initialize_era()))
        .await
        .unwrap();
    site.journalled("the listening stream", |line| {
        line["http"] == "GET" && line["path"] == "/mcp/"
    })
    .await;
    call(&connection, "t").await.unwrap();
    let change = within("the change", events.recv()).await.unwrap();
    assert!(matches!(change, Event::ToolsChanged), "{change:?}");
    connection.close().await;
    let end = site.requests("DELETE").pop().unwrap();
    assert_eq!(
        (end["path"].as_str(), end["headers"]["x-key"].as_str()),
        (Some("/mcp/"), Some("k-1234567"))
    );
}

#[tokio::test]
async fn a_refusal_as_json_rpc_that_asks_for_the_version_header_gets_it() {
    let refusal = |message: &str| {
        json!({ "respond": { "status": 400, "headers": { "Content-Type": "application/json" },
            "json": { "jsonrpc": "2.0", "id": null, "error": { "code": -32000, "message": message } } } })
    };
    for message in [
        "Bad Request: MCP-Protocol-Version header is required",
        "Missing protocol version header",
    ] {
        // A server that wants the header, and then another revision in both places.
        let site = Site::new(&json!({
            "tools": [],
            "versions": ["2025-11-25", "2025-06-18"],
            "rules": [
                { "when": "initialize", "header": { "mcp-protocol-version": null }, "do": refusal(message) },
                { "when": "initialize", "header": { "mcp-protocol-version": "2025-11-25" }, "do": refusal("only 2025-06-18 is supported") },
            ],
        }));
        let (connection, _events) = site.session().await;
        assert_eq!(connection.server().protocol_version.as_str(), "2025-06-18");
        let sent: Vec<_> = site
            .requests("initialize")
            .iter()
            .map(|line| {
                (
                    line["headers"]["mcp-protocol-version"].clone(),
                    line["received"]["params"]["protocolVersion"].clone(),
                )
            })
            .collect();
        let (newest, older) = (json!("2025-11-25"), json!("2025-06-18"));
        assert_eq!(
            sent,
            [
                (Value::Null, newest.clone()),
                (newest.clone(), newest),
                (older.clone(), older)
            ]
        );
    }
}

#[tokio::test]
async fn the_session_is_the_one_of_the_last_initialize() {
    let refusal = json!({ "respond": { "status": 200, "headers": { "Content-Type": "application/json", "Mcp-Session-Id": "refused-1" },
        "json": { "jsonrpc": "2.0", "id": { "@id": true }, "error": { "code": -32602, "message": "try 2025-06-18" } } } });
    let site = Site::new(
        &json!({ "tools": [], "versions": ["2025-06-18"], "calls": { "t": { "text": "ok" } },
        "rules": [{ "when": "initialize", "nth": 1, "do": refusal }] }),
    );
    let (connection, _events) = site.session().await;
    assert_eq!(text_of(call(&connection, "t").await), "ok");
    let initialize = site.requests("initialize");
    assert!(initialize[1]["headers"]["mcp-session-id"].is_null());
    assert_ne!(
        site.requests("tools/call")[0]["headers"]["mcp-session-id"],
        "refused-1"
    );
}

#[tokio::test]
async fn the_probe_belongs_to_no_session() {
    // The session begins while the probe is still unanswered, and the probe is then refused.
    let slow = json!([{ "await": "initialize" }, { "gate": "begun" }, respond(404, &json!({}), ""), { "open": "refused" }]);
    let begin = json!([{ "socket": "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nMcp-Session-Id: s-1\r\n\r\n: hello\n\n" },
        { "open": "begun" }, { "gate": "refused" },
        { "socket": ["data: ", { "json": { "jsonrpc": "2.0", "id": { "@id": true }, "result": { "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": { "name": "s", "version": "1" } } } }, "\n\n"] }, "endStream"]);
    let site = Site::new(
        &json!({ "tools": [], "rules": [{ "when": "server/discover", "do": slow }, { "when": "initialize", "do": begin },
            { "when": "POST", "header": { "mcp-session-id": "s-1" }, "do": { "respond": { "status": 202 } } } ] }),
    );
    let (connection, _events) = site.connect(Options::default()).await.unwrap();
    assert_eq!(connection.server().era, Era::Initialize);
    let error = connection.read_resource("file:///a").await.unwrap_err();
    assert!(
        matches!(error, RequestError::Http { status: 202, .. }),
        "the session is in use: {error:?}"
    );
}

#[tokio::test]
async fn a_request_that_waits_for_another_attempt_is_not_sent_on_an_expired_session() {
    let later = respond(503, &json!({ "Retry-After": "1" }), "");
    let site = Site::new(&json!({
        "tools": [],
        "calls": { "t": ["expireSession", { "text": "last" }] },
        "rules": [{ "when": "tools/list", "do": later }],
        "http": { "listen": false },
    }));
    let (connection, _events) = site.session().await;
    let expire = async {
        site.journalled("the list", |line| {
            line["received"]["method"] == "tools/list"
        })
        .await;
        call(&connection, "t").await.unwrap();
        call(&connection, "t").await.unwrap_err();
    };
    let (listed, ()) = tokio::join!(connection.tools(), expire);
    let error = listed.unwrap_err();
    assert!(
        matches!(error, RequestError::SessionExpired { refused: true, .. }),
        "{error:?}"
    );
    assert_eq!(site.requests("tools/list").len(), 1);
}

#[tokio::test]
async fn an_exchange_whose_answer_came_elsewhere_ends() {
    let other = json!({ "send": { "jsonrpc": "2.0", "id": 2, "result": { "content": [{ "type": "text", "text": "elsewhere" }] } } });
    let site = Site::new(
        &json!({ "tools": [], "journal": ["closed"], "http": { "listen": false },
        "calls": { "first": [{ "event": { "comment": "hello" } }, { "gate": "never" }], "second": [other, { "text": "ok" }] } }),
    );
    let (connection, _events) = site.session().await;
    let second = async {
        site.journalled("the first call", |line| line["received"]["id"] == 2)
            .await;
        call(&connection, "second").await
    };
    let (first, second) = tokio::join!(call(&connection, "first"), second);
    assert_eq!(
        (text_of(first), text_of(second)),
        ("elsewhere".to_owned(), "ok".to_owned())
    );
    site.journalled("the end of the first exchange", |line| {
        line["closed"] == "POST"
    })
    .await;
}

#[tokio::test]
async fn what_follows_the_answer_on_its_stream_is_heard() {
    let change = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
    let site = Site::with_tool(
        &json!([{ "write": ["data: ", { "json": answer() }, "\n\ndata: ", { "json": change }, "\n\n"] }, "endStream"]),
    );
    let (connection, mut events) = site.session().await;
    assert_eq!(text_of(call(&connection, "t").await), "ok");
    let change = within("the change", events.recv()).await.unwrap();
    assert!(matches!(change, Event::ToolsChanged), "{change:?}");
}

#[tokio::test]
async fn resuming_survives_a_server_that_is_away_for_a_moment() {
    let site = Site::new(&json!({
        "tools": [],
        "calls": { "t": [{ "event": { "id": "first", "retry": 10, "data": { "@json": "" } } }, { "notify": { "method": "notifications/x" } }, "cut", { "text": "kept" }] },
        "rules": [{ "when": "GET", "nth": "..3", "do": "reset" }],
        "http": { "eventIds": true },
    }));
    let (connection, _events) = site.session().await;
    assert_eq!(text_of(call(&connection, "t").await), "kept");
}

#[tokio::test]
async fn a_stream_that_ends_within_an_event_is_resumed_before_it() {
    let begun =
        "id: 6\nretry: 10\ndata: \n\nid: 7\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"cont";
    let answer = json!({ "jsonrpc": "2.0", "id": 2, "result": { "content": [{ "type": "text", "text": "whole" }] } });
    let rest = json!([{ "event": { "id": "7", "data": answer } }, "endStream"]);
    let site = Site::new(&json!({
        "tools": [],
        "calls": { "t": [{ "write": [begun] }, "endStream"] },
        "rules": [
            { "when": "GET", "header": { "last-event-id": "6" }, "do": rest },
            { "when": "GET", "do": { "respond": { "status": 405 } } },
        ],
    }));
    let (connection, _events) = site.session().await;
    assert_eq!(text_of(call(&connection, "t").await), "whole");
}

#[tokio::test]
async fn a_stream_that_repeats_a_message_is_not_resumed_for_ever() {
    let again = json!([{ "event": { "id": "7", "data": { "jsonrpc": "2.0", "method": "notifications/x" } } }, "endStream"]);
    let site = Site::new(&json!({
        "tools": [],
        "calls": { "t": [{ "event": { "id": "7", "retry": 1, "data": { "@json": "" } } }, "cut"] },
        "rules": [{ "when": "GET", "do": again }],
    }));
    let (connection, _events) = site.session().await;
    let error = call(&connection, "t").await.unwrap_err();
    assert!(
        matches!(error, RequestError::Network { sent: true, .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_stateless_server_that_asks_is_not_answered() {
    let site = Site::new(&json!({
        "versions": ["2026-07-28"],
        "tools": [],
        "calls": { "t": [{ "send": { "jsonrpc": "2.0", "id": "q", "method": "ping" } }, { "text": "ok" }] },
    }));
    let (connection, _events) = site.connect(Options::default()).await.unwrap();
    assert_eq!(text_of(call(&connection, "t").await), "ok");
    assert_eq!(text_of(call(&connection, "t").await), "ok");
    connection.close().await;
    let answers = site
        .journal()
        .into_iter()
        .filter(|line| line["received"]["id"] == "q")
        .count();
    assert_eq!(answers, 0);
}

#[tokio::test]
async fn no_message_shows_a_secret() {
    let secret = "token-value-1234567";
    let quoted = format!("Bearer error_description=\"{secret} is not valid\"");
    let filler = "x".repeat(190);
    for steps in [
        respond(401, &json!({ "WWW-Authenticate": quoted }), ""),
        respond(
            500,
            &json!({ "Content-Type": "text/plain" }),
            &format!("{filler} {secret}"),
        ),
        respond(
            200,
            &json!({ "Content-Type": "application/json" }),
            &format!("[\"{filler} {secret}\"]"),
        ),
        respond(301, &json!({ "Location": format!("/{secret}") }), ""),
        respond(
            307,
            &json!({ "Location": format!("/mcp?key={secret}") }),
            "",
        ),
        respond(307, &json!({ "Location": format!("http://[{secret}") }), ""),
    ] {
        let site =
            Site::new(&json!({ "tools": [], "rules": [{ "when": "tools/call", "do": steps }] }));
        let spec = HttpSpec::new(&format!("{}?key={secret}", site.url)).unwrap();
        let options = initialize_era().mask(Mask::new([secret]));
        let (connection, _events) = within("connecting", Connection::http(spec, options))
            .await
            .unwrap();
        let error = call(&connection, "t").await.unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(!text.contains("token-"), "{text}");
    }
}
