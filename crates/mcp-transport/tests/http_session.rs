//! Sessions of the initialize era, their streams, and their end; what proxies do to connections.
#![cfg(all(feature = "http", feature = "stdio"))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod http_support;
mod stdio_support;

use http_support::Site;
use mcp_transport::{
    CallOptions, ConnectError, Connection, Era, Event, Events, HttpSpec, Options, RequestError,
};
use serde_json::json;
use serde_json::value::RawValue;
use stdio_support::{call, text_of, within};
use tokio_util::sync::CancellationToken;

async fn next_change(events: &mut Events) -> Event {
    loop {
        match within("an event", events.recv()).await.unwrap() {
            Event::Log(_) => {}
            event => return event,
        }
    }
}

#[tokio::test]
async fn an_expired_session_is_told_once_and_refuses_everything_after() {
    let bad_request = json!({ "respond": { "status": 400, "headers": { "Content-Type": "application/json" },
        "json": { "jsonrpc": "2.0", "id": null, "error": { "code": -32000, "message": "Bad Request: No valid session ID provided" } } } });
    let restarted = json!({ "respond": { "status": 400, "headers": { "Content-Type": "application/json" },
        "json": { "jsonrpc": "2.0", "id": null, "error": { "code": -32000, "message": "Bad Request: Server not initialized" } } } });
    let bare = json!({ "respond": { "status": 404, "headers": { "Content-Type": "application/json" }, "json": { "jsonrpc": "2.0", "id": 1 } } });
    for expired in [json!(null), bad_request, restarted, bare] {
        let mut script = json!({ "tools": [], "calls": { "t": ["expireSession", { "text": "last" }] }, "http": { "listen": false } });
        if !expired.is_null() {
            script["http"]["expired"] = expired.clone();
        }
        let site = Site::new(&script);
        let (connection, mut events) = site.session().await;
        assert_eq!(text_of(call(&connection, "t").await), "last");
        let refused = call(&connection, "t").await.unwrap_err();
        assert!(
            matches!(refused, RequestError::SessionExpired { refused: true, .. }),
            "{expired}: {refused:?}"
        );
        assert_eq!(
            site.requests("DELETE").len(),
            1,
            "a server that allows one session is told before another is begun"
        );
        assert!(matches!(
            next_change(&mut events).await,
            Event::SessionExpired
        ));
        let sent = site.requests("tools/call").len();
        let later = call(&connection, "t").await.unwrap_err();
        assert!(
            matches!(later, RequestError::SessionExpired { refused: true, .. }),
            "{later:?}"
        );
        assert_eq!(
            site.requests("tools/call").len(),
            sent,
            "nothing is sent on an expired session"
        );
        assert!(!connection.dropped());
        connection.close().await;
        assert_eq!(site.requests("DELETE").len(), 1, "it is told once");
    }
}

#[tokio::test]
async fn a_success_that_speaks_of_a_lost_session_fails_the_call_and_ends_the_session() {
    for (media, body) in [
        (
            "text/event-stream",
            "event: message\ndata: {\"error\":\"Session not found\"}\n\n",
        ),
        (
            "text/event-stream",
            "event: error\ndata: Session not found\n\n",
        ),
        (
            "text/event-stream",
            "data: {\"message\":\"Session not found\"}\n\n",
        ),
        (
            "application/json",
            "{\"jsonrpc\":\"2.0\",\"id\":\"server-error\",\"error\":{\"code\":-32600,\"message\":\"Session not found\"}}",
        ),
        (
            "application/json",
            "{\"status\":404,\"detail\":\"Session not found\"}",
        ),
        ("application/json", "\"Session not found\""),
        ("text/plain", "Session not found"),
    ] {
        let site = Site::new(&json!({
            "tools": [],
            "calls": { "t": ["expireSession", { "text": "last" }] },
            "http": { "listen": false, "expired": { "respond": { "status": 200, "headers": { "Content-Type": media }, "body": body } } },
        }));
        let (connection, mut events) = site.session().await;
        call(&connection, "t").await.unwrap();
        let error = call(&connection, "t").await.unwrap_err();
        assert!(
            !matches!(error, RequestError::SessionExpired { .. })
                && error.to_string().contains("Session not found"),
            "{body}: {error:?}"
        );
        assert!(
            matches!(next_change(&mut events).await, Event::SessionExpired),
            "{body}"
        );
        assert_eq!(site.requests("tools/call").len(), 2, "{body}");
        assert_eq!(site.requests("DELETE").len(), 1, "{body}");
    }
}

#[tokio::test]
async fn a_session_whose_stream_is_not_found_any_more_is_over() {
    let site = Site::new(&json!({
        "tools": [],
        "rules": [
            { "when": "GET", "nth": 1, "do": ["endStream"] },
            { "when": "GET", "do": { "respond": { "status": 404 } } },
        ],
    }));
    let (connection, mut events) = site.session().await;
    assert!(matches!(
        next_change(&mut events).await,
        Event::SessionExpired
    ));
    assert_eq!(site.requests("GET").len(), 2);
    assert_eq!(site.requests("DELETE").len(), 1);
    let later = call(&connection, "t").await.unwrap_err();
    assert!(
        matches!(later, RequestError::SessionExpired { refused: true, .. }),
        "{later:?}"
    );
}

/// Refusals that speak of a lost session and are none that the specification knows: published servers and gateways
/// answer in all of these ways, and a client that keeps the session would never get through to them again.
#[tokio::test]
async fn a_refusal_that_speaks_of_a_lost_session_fails_the_call_and_ends_the_session() {
    let json = |status: u16, code: i64, message: &str| {
        json!({ "respond": { "status": status, "headers": { "Content-Type": "application/json" },
            "json": { "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } } } })
    };
    let text = |status: u16, body: &str| json!({ "respond": { "status": status, "headers": { "Content-Type": "text/plain" }, "body": body } });
    for (refusal, says) in [
        (
            text(400, "Invalid or missing session ID"),
            "missing session ID",
        ),
        (
            text(400, "{\"error\":\"Invalid session\"}"),
            "Invalid session",
        ),
        (
            json(400, -32602, "Invalid session id"),
            "Invalid session id",
        ),
        (text(401, "Unauthorized: Session not found"), "HTTP 401"),
        (json(403, -32000, "Session expired"), "Session expired"),
        (json(409, -32000, "Session closed"), "Session closed"),
        (text(410, "session terminated"), "session terminated"),
        (
            json(500, -32603, "Session not found: 1"),
            "Session not found: 1",
        ),
        (text(503, "unknown session"), "unknown session"),
    ] {
        let site = Site::new(
            &json!({ "tools": [], "calls": { "t": ["expireSession", { "text": "last" }] },
            "http": { "listen": false, "expired": refusal } }),
        );
        let (connection, mut events) = site.session().await;
        call(&connection, "t").await.unwrap();
        let error = call(&connection, "t").await.unwrap_err();
        assert!(
            !matches!(
                error,
                RequestError::SessionExpired { .. } | RequestError::NeedsAuth { .. }
            ) && error.to_string().contains(says),
            "{says}: {error:?}"
        );
        assert!(matches!(
            next_change(&mut events).await,
            Event::SessionExpired
        ));
        assert_eq!(site.requests("tools/call").len(), 2, "{says}");
        assert_eq!(site.requests("DELETE").len(), 1, "{says}");
    }
}

#[tokio::test]
async fn a_refusal_of_credentials_stays_one_whatever_it_says_of_sessions() {
    let challenge = json!({ "Content-Type": "text/plain", "WWW-Authenticate": "Bearer" });
    let refused = json!({ "respond": { "status": 401, "headers": challenge, "body": "session expired, log in" } });
    let site = Site::new(&json!({ "tools": [], "calls": { "t": refused } }));
    let (connection, _events) = site.session().await;
    let error = call(&connection, "t").await.unwrap_err();
    assert!(matches!(error, RequestError::NeedsAuth { .. }), "{error:?}");
}

#[tokio::test]
async fn a_refused_request_that_only_mentions_a_session_is_told_as_it_is() {
    for (status, message) in [
        (400, "unknown browser session"),
        (400, "missing argument: session"),
        (404, "unknown tool: t"),
    ] {
        let refused = json!({ "respond": { "status": status, "headers": { "Content-Type": "application/json" },
            "json": { "jsonrpc": "2.0", "id": { "@id": true }, "error": { "code": -32602, "message": message } } } });
        let site = Site::new(&json!({ "tools": [], "calls": { "t": refused } }));
        let (connection, _events) = site.session().await;
        let error = call(&connection, "t").await.unwrap_err();
        assert!(
            matches!(&error, RequestError::Server { code: -32602, message: said, .. } if said == message),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn a_refusal_without_a_session_is_no_expiry() {
    let not_found = json!({ "respond": { "status": 404, "headers": { "Content-Type": "text/plain" }, "body": "no such page" } });
    let site = Site::new(
        &json!({ "tools": [], "calls": { "t": not_found }, "http": { "sessions": false } }),
    );
    let (connection, _events) = site.session().await;
    let error = call(&connection, "t").await.unwrap_err();
    assert!(
        matches!(&error, RequestError::Http { status: 404, message, .. } if message.contains("no such page")),
        "{error:?}"
    );
}

#[tokio::test]
async fn closing_ends_the_session_and_tells_no_drop() {
    let site = Site::with_tool(&json!({ "text": "ok" }));
    let (connection, mut events) = site.session().await;
    connection.close().await;
    let end = &site.requests("DELETE")[0]["headers"];
    assert_eq!(end["mcp-protocol-version"], "2025-11-25");
    assert!(end["mcp-session-id"].is_string());
    while let Some(event) = events.recv().await {
        assert!(matches!(event, Event::Log(_)), "{event:?}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_the_end_delays_it_only_shortly() {
    let site = Site::new(
        &json!({ "tools": [], "rules": [{ "when": "DELETE", "do": [{ "gate": "never" }] }] }),
    );
    let (connection, _events) = site.session().await;
    within("closing", connection.close()).await;
}

#[tokio::test]
async fn a_session_of_a_failed_handshake_is_ended() {
    let site = Site::new(
        &json!({ "rules": [{ "when": "initialize", "do": { "respond": { "status": 200,
        "headers": { "Content-Type": "application/json", "Mcp-Session-Id": "left-behind" },
        "json": { "jsonrpc": "2.0", "id": { "@id": true }, "result": { "protocolVersion": "1.0", "capabilities": {} } } } } }] }),
    );
    let error = site.connect(Options::default()).await.unwrap_err();
    assert!(matches!(error, ConnectError::Version { .. }), "{error:?}");
    assert_eq!(
        site.requests("DELETE")[0]["headers"]["mcp-session-id"],
        "left-behind"
    );
}

#[tokio::test]
async fn the_listening_stream_brings_changes_and_questions() {
    let site = Site::new(&json!({
        "tools": [],
        "calls": { "t": [{ "changed": "tools" }, { "ask": { "method": "demo/unknown", "as": "a" } }, { "result": { "content": [], "seen": { "@answer": "a" } } }] },
    }));
    let (connection, mut events) = site.session().await;
    site.journalled("the listening stream", |line| line["http"] == "GET")
        .await;
    call(&connection, "t").await.unwrap();
    assert!(matches!(
        next_change(&mut events).await,
        Event::ToolsChanged
    ));
    site.journalled("our answer", |line| {
        line["received"]["error"]["code"] == -32601
    })
    .await;
    connection.close().await;
}

#[tokio::test]
async fn listening_that_is_refused_or_never_answered_holds_nothing_up() {
    for refusal in [
        json!({ "respond": { "status": 405 } }),
        json!({ "respond": { "status": 404 } }),
        json!({ "respond": { "status": 200, "headers": { "Content-Type": "application/json" }, "body": "{}" } }),
        json!([{ "gate": "never" }]),
    ] {
        let site = Site::new(
            &json!({ "tools": [], "calls": { "t": { "text": "ok" } }, "rules": [{ "when": "GET", "do": refusal }] }),
        );
        let (connection, _events) = site.session().await;
        assert_eq!(text_of(call(&connection, "t").await), "ok", "{refusal}");
        within("closing", connection.close()).await;
        assert!(site.requests("GET").len() <= 1, "{refusal}");
    }
}

#[tokio::test]
async fn a_cut_answer_is_resumed_where_the_server_gave_an_id() {
    let site = Site::new(&json!({
        "tools": [],
        "calls": { "t": [{ "event": { "id": "first", "retry": 10, "data": { "@json": "" } } }, { "notify": { "method": "notifications/x" } }, "cut", { "text": "kept" }] },
        "http": { "eventIds": true },
    }));
    let (connection, _events) = site.session().await;
    assert_eq!(text_of(call(&connection, "t").await), "kept");
    assert_eq!(site.requests("tools/call").len(), 1);
}

#[tokio::test]
async fn an_answer_that_never_comes_by_resuming_fails_after_a_bound() {
    let site = Site::new(&json!({
        "tools": [],
        "calls": { "t": [{ "event": { "id": "7", "retry": 1, "data": { "@json": "" } } }, "cut"] },
        "rules": [{ "when": "GET", "do": ["endStream"] }],
    }));
    let (connection, _events) = site.session().await;
    let error = call(&connection, "t").await.unwrap_err();
    assert!(
        matches!(error, RequestError::Network { sent: true, .. }),
        "{error:?}"
    );
    let resumed = site
        .requests("GET")
        .iter()
        .filter(|line| line["headers"]["last-event-id"] == "7")
        .count();
    assert!((1..=5).contains(&resumed), "{resumed}");
}

#[tokio::test]
async fn a_cancelled_call_is_told_in_the_old_era_and_closed_in_the_new_one() {
    for (version, era) in [
        ("2025-11-25", Era::Initialize),
        ("2026-07-28", Era::Stateless),
    ] {
        let tools = json!([{ "name": "t", "inputSchema": { "type": "object" } }]);
        let site = Site::new(
            &json!({ "versions": [version], "journal": ["closed"], "tools": tools, "calls": { "t": [{ "open": "begun" }, { "gate": "never" }] } }),
        );
        let (connection, _events) = site.connect(Options::default()).await.unwrap();
        assert_eq!(connection.server().era, era);
        let cancel = CancellationToken::new();
        let arguments = RawValue::from_string("{}".to_owned()).unwrap();
        let calling =
            connection.call_tool("t", &arguments, CallOptions::new().cancel(cancel.clone()));
        let cancelling = async {
            site.journalled("the call", |line| {
                line["received"]["method"] == "tools/call"
            })
            .await;
            cancel.cancel();
        };
        let (error, ()) = within("cancelling", async { tokio::join!(calling, cancelling) }).await;
        assert!(
            matches!(error, Err(RequestError::Cancelled { .. })),
            "{error:?}"
        );
        match era {
            Era::Stateless => {
                site.journalled("the end of the stream", |line| line["closed"] == "POST")
                    .await;
                assert!(site.requests("notifications/cancelled").is_empty());
            }
            _ => {
                site.journalled("the notification", |line| {
                    line["received"]["method"] == "notifications/cancelled"
                })
                .await;
            }
        }
        connection.close().await;
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_fails_at_once_and_may_come_back() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    let error = within(
        "connecting",
        Connection::http(HttpSpec::new(&url).unwrap(), Options::default()),
    )
    .await
    .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("cannot connect")
            && text.contains("refused")
            && text.contains("was not sent"),
        "{text}"
    );
}

#[tokio::test]
async fn the_deprecated_transport_is_named() {
    let site = Site::new(&json!({ "rules": [
        { "when": "POST", "do": { "respond": { "status": 405 } } },
        { "when": "GET", "do": [{ "event": { "event": "endpoint", "data": { "@json": "/messages?s=1" } } }, { "gate": "never" }] },
    ] }));
    let error = site.connect(Options::default()).await.unwrap_err();
    assert!(
        matches!(error, ConnectError::DeprecatedTransport),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_server_without_sessions_is_told_that_the_handshake_is_over() {
    let site = Site::new(
        &json!({ "tools": [], "requireInitialized": true, "calls": { "t": { "text": "ok" } }, "http": { "sessions": false } }),
    );
    let (connection, _events) = site.session().await;
    connection.tools().await.unwrap();
    assert_eq!(text_of(call(&connection, "t").await), "ok");
    assert!(site.requests("tools/call")[0]["headers"]["mcp-session-id"].is_null());
    connection.close().await;
    assert!(site.requests("DELETE").is_empty());
}

#[tokio::test]
async fn a_listening_stream_that_ends_at_once_is_not_opened_in_a_loop() {
    let first =
        json!([{ "event": { "retry": 1, "id": "1", "data": { "@json": "" } } }, "endStream"]);
    for end in [json!(["endStream"]), first] {
        let site = Site::new(
            &json!({ "tools": [], "calls": { "t": { "text": "ok" } }, "rules": [{ "when": "GET", "do": end }] }),
        );
        let (connection, _events) = site.session().await;
        site.journalled("the listening stream", |line| line["http"] == "GET")
            .await;
        for _ in 0..100 {
            call(&connection, "t").await.unwrap();
        }
        let opened = site.requests("GET").len();
        assert!(opened <= 3, "opened {opened} times during a hundred calls");
    }
}

#[tokio::test]
async fn what_is_no_tls_is_named() {
    let site = Site::new(&json!({ "tools": [] }));
    let url = site.url.replace("http://", "https://");
    let error = within(
        "connecting",
        Connection::http(HttpSpec::new(&url).unwrap(), Options::default()),
    )
    .await
    .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("cannot connect") && text.contains("tls"),
        "{text}"
    );
}

#[tokio::test]
async fn nothing_overtakes_the_end_of_the_handshake() {
    let slow = json!([{ "gate": "go" }, { "respond": { "status": 202 } }]);
    let site = Site::new(
        &json!({ "tools": [], "rules": [{ "when": "notifications/initialized", "do": slow }] }),
    );
    let connecting = site.session();
    let opening = async {
        site.journalled("the notification", |line| {
            line["received"]["method"] == "notifications/initialized"
        })
        .await;
        assert!(
            site.requests("GET").is_empty(),
            "nothing is asked for before the answer"
        );
        site.open("go");
    };
    let ((connection, _events), ()) = tokio::join!(connecting, opening);
    connection.close().await;
}
