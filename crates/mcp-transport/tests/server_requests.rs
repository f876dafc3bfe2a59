//! What a server asks of the host.

#![expect(clippy::panic, reason = "one handler panics on purpose")]

mod support;

use std::future::pending;

use mcp_transport::{Era, HandlerError, Handlers, LogLevel, Options, model};
use serde_json::{Value, json};
use support::{call, connected, connecting, discovered, initialized, text, text_of};

async fn ask(peer: &mut support::Peer, id: &Value, method: &str, params: Value) {
    peer.message(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
        .await;
}

#[tokio::test]
async fn a_ping_is_answered_in_any_phase() {
    // lif-12
    let (connecting, mut peer) = connecting(Options::default().era(Some(Era::Initialize)), 1 << 16);
    let request = peer.expect("initialize").await;
    let pong = |id: &Value| json!({ "jsonrpc": "2.0", "id": id, "result": {} });
    for id in [json!("p1"), json!(0), json!("1")] {
        ask(&mut peer, &id, "ping", json!({})).await;
        assert_eq!(peer.next().await, pong(&id));
    }
    peer.result(&request, initialized("2025-11-25", &json!({ "tools": {} })))
        .await;
    peer.expect("notifications/initialized").await;
    let (connection, _events) = connecting.await.unwrap().unwrap();
    ask(&mut peer, &json!("p2"), "ping", json!(null)).await;
    assert_eq!(peer.next().await, pong(&json!("p2")));
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    ask(&mut peer, &json!(-3), "ping", json!({})).await;
    assert_eq!(peer.next().await, pong(&json!(-3)));
    peer.result(&request, text("done")).await;
    assert_eq!(text_of(answer.await.unwrap()), "done");
}

#[tokio::test]
async fn what_the_host_does_not_offer_is_refused_at_once() {
    // lif-13
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let _call = call(&connection);
    peer.expect("tools/call").await;
    let methods = [
        "roots/list",
        "sampling/createMessage",
        "elicitation/create",
        "demo/unknown",
        "tools/list",
    ];
    for (number, method) in methods.into_iter().enumerate() {
        let id = if number % 2 == 0 {
            json!(number)
        } else {
            json!(format!("id \"{number}\""))
        };
        ask(&mut peer, &id, method, json!({})).await;
        let error = json!({ "code": -32601, "message": format!("Method not found: {method}") });
        assert_eq!(
            peer.next().await,
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        );
    }
    assert_eq!(connection.stats().refused_requests, 5);
}

fn offering() -> Handlers {
    Handlers::new()
        .roots(|| async {
            Ok(model::ListRootsResult::new(vec![model::Root::new(
                "file:///project",
            )]))
        })
        .elicitation(|question| async move {
            let model::ElicitRequestParams::FormElicitationParams { message, .. } = question else {
                return Err(HandlerError::new("only forms"));
            };
            match message.as_str() {
                "panic" => panic!("as the test wants"),
                "wait" => pending().await,
                _ => Ok(model::ElicitResult::new(model::ElicitationAction::Decline)),
            }
        })
}

fn question(message: &str) -> Value {
    json!({ "message": message, "requestedSchema": { "type": "object", "properties": {} } })
}

#[tokio::test]
async fn what_the_host_offers_is_declared_and_answered() {
    let options = Options::default()
        .handlers(offering())
        .era(Some(Era::Initialize));
    let (connecting, mut peer) = connecting(options, 1 << 16);
    let request = peer.expect("initialize").await;
    assert_eq!(
        request["params"]["capabilities"],
        json!({ "roots": { "listChanged": true }, "elicitation": { "form": {} } })
    );
    peer.result(&request, initialized("2025-11-25", &json!({})))
        .await;
    peer.expect("notifications/initialized").await;
    let (connection, _events) = connecting.await.unwrap().unwrap();
    ask(&mut peer, &json!("r"), "roots/list", json!({})).await;
    assert_eq!(
        peer.next().await["result"],
        json!({ "roots": [{ "uri": "file:///project" }] })
    );
    ask(&mut peer, &json!("e"), "elicitation/create", question("?")).await;
    assert_eq!(peer.next().await["result"], json!({ "action": "decline" }));
    ask(
        &mut peer,
        &json!("b"),
        "elicitation/create",
        json!({ "message": 5 }),
    )
    .await;
    assert_eq!(peer.next().await["error"]["code"], -32602);
    ask(&mut peer, &json!("s"), "sampling/createMessage", json!({})).await;
    assert_eq!(peer.next().await["error"]["code"], -32601);
    connection.roots_changed();
    peer.expect("notifications/roots/list_changed").await;
}

#[tokio::test]
async fn a_stateless_server_is_told_with_each_request_and_of_no_news_of_roots() {
    let (connecting, mut peer) = connecting(Options::default().handlers(offering()), 1 << 16);
    let request = peer.expect("server/discover").await;
    let meta = &request["params"]["_meta"];
    assert_eq!(
        meta["io.modelcontextprotocol/clientCapabilities"],
        json!({ "roots": {}, "elicitation": { "form": {} } })
    );
    peer.result(&request, discovered(&["2026-07-28"], &json!({})))
        .await;
    let (connection, _events) = connecting.await.unwrap().unwrap();
    connection.roots_changed();
    connection.set_log_level(LogLevel::Warning).await.unwrap();
    let _call = call(&connection);
    let request = peer.expect("tools/call").await;
    let meta = &request["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/logLevel"], "warning");
    assert_eq!(
        meta["io.modelcontextprotocol/clientCapabilities"]["roots"],
        json!({})
    );
}

#[tokio::test]
async fn a_handler_that_fails_or_waits_holds_nothing_up() {
    let (connection, _events, mut peer) = connected(Options::default().handlers(offering())).await;
    ask(
        &mut peer,
        &json!("p"),
        "elicitation/create",
        question("panic"),
    )
    .await;
    let error = json!({ "code": -32603, "message": "the handler failed" });
    assert_eq!(peer.next().await["error"], error);
    ask(
        &mut peer,
        &json!("w"),
        "elicitation/create",
        question("wait"),
    )
    .await;
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    peer.result(&request, text("meanwhile")).await;
    assert_eq!(text_of(answer.await.unwrap()), "meanwhile");
    // The server gives its question up: no answer follows.
    peer.notify("notifications/cancelled", json!({ "requestId": "w" }))
        .await;
    ask(&mut peer, &json!("q"), "ping", json!({})).await;
    assert_eq!(peer.next().await["id"], "q");
}

#[tokio::test]
async fn a_call_fails_at_once_on_a_drop_while_a_handler_waits() {
    let (connection, _events, mut peer) = connected(Options::default().handlers(offering())).await;
    let answer = call(&connection);
    peer.expect("tools/call").await;
    ask(
        &mut peer,
        &json!("w"),
        "elicitation/create",
        question("wait"),
    )
    .await;
    peer.end().await;
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "connection dropped: server closed its output; the outcome of the request is unknown"
    );
}
