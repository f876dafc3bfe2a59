//! The handshake: which revision a server speaks, on paused time.

mod support;

use std::time::Duration;

use mcp_transport::{ConnectError, Era, Options, ProtocolVersion};
use serde_json::{Value, json};
use support::{Peer, connecting, connecting as again, discovered, initialized};
use tokio::time::{Instant, sleep};

const CAPACITY: usize = 1 << 16;

fn tools() -> Value {
    json!({ "tools": {} })
}

/// Answers `initialize`, and takes what follows.
async fn serve_initialize(peer: &mut Peer, version: &str) {
    let request = peer.expect("initialize").await;
    peer.result(&request, initialized(version, &tools())).await;
    peer.expect("notifications/initialized").await;
}

#[tokio::test(start_paused = true)]
async fn a_stateless_server_is_found_by_the_probe() {
    let (connecting, mut peer) = connecting(Options::default(), CAPACITY);
    let request = peer.expect("server/discover").await;
    let meta = &request["params"]["_meta"];
    assert_eq!(
        meta["io.modelcontextprotocol/protocolVersion"],
        "2026-07-28"
    );
    assert_eq!(
        meta["io.modelcontextprotocol/clientInfo"]["name"],
        "mcp-transport"
    );
    assert_eq!(
        meta["io.modelcontextprotocol/clientCapabilities"],
        json!({})
    );
    let mut result = discovered(&["2027-01-01", "2026-07-28"], &tools());
    result["instructions"] = json!("Be kind.");
    peer.result(&request, result).await;
    let (connection, _events) = connecting.await.unwrap().unwrap();
    let server = connection.server();
    assert_eq!(
        (server.era, server.protocol_version.as_str()),
        (Era::Stateless, "2026-07-28")
    );
    assert_eq!(
        (server.name.as_deref(), server.version.as_deref()),
        (Some("peer"), Some("1.0.0"))
    );
    assert_eq!(server.instructions.as_deref(), Some("Be kind."));
    assert!(server.capabilities.declares("tools") && !server.capabilities.declares("prompts"));
    // Each request says who we are.
    let listed = support::spawn(async move { connection.tools().await });
    let request = peer.expect("tools/list").await;
    let meta = &request["params"]["_meta"];
    assert_eq!(
        meta["io.modelcontextprotocol/protocolVersion"],
        "2026-07-28"
    );
    assert_eq!(meta["progressToken"], request["id"]);
    peer.result(&request, json!({ "resultType": "complete", "tools": [] }))
        .await;
    listed.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_of_its_capabilities_is_asked_for_tools() {
    for (capabilities, has_tools) in [
        (None, true),
        (Some(json!(null)), true),
        (Some(json!([])), true),
        (Some(json!("tools")), true),
        (Some(json!({ "tools": [] })), true),
        (Some(json!({})), false),
        (Some(json!({ "tools": null })), false),
        (Some(json!({ "prompts": {} })), false),
    ] {
        let (connecting, mut peer) =
            connecting(Options::default().era(Some(Era::Initialize)), CAPACITY);
        let request = peer.expect("initialize").await;
        let mut result = initialized("2025-11-25", &json!({}));
        result.as_object_mut().unwrap().remove("capabilities");
        if let Some(capabilities) = &capabilities {
            result["capabilities"] = capabilities.clone();
        }
        peer.result(&request, result).await;
        let (connection, _events) = connecting.await.unwrap().unwrap();
        let declared = &connection.server().capabilities;
        assert_eq!(declared.declares("tools"), has_tools, "{capabilities:?}");
        assert!(!declared.list_changed("tools"));
        assert_eq!(
            declared.declares("prompts"),
            capabilities == Some(json!({ "prompts": {} }))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn any_answer_that_is_not_a_stateless_one_means_initialize_at_once() {
    // std-12 in memory
    let answers = [
        json!({ "error": { "code": -32601, "message": "Method not found" } }),
        json!({ "error": { "code": -32602, "message": "bad params" } }),
        json!({ "error": { "code": -32603, "message": "boom" } }),
        json!({ "error": { "code": -32000, "message": "not initialized" } }),
        json!({ "error": "oops" }),
        json!({ "result": null }),
        json!({ "result": {} }),
        json!({ "result": { "supportedVersions": "2026-07-28" } }),
        json!({ "result": discovered(&["2025-11-25", "2025-06-18"], &tools()) }),
        json!({ "id": null, "error": { "code": -32601, "message": "Method not found" } }),
        json!({ "id": 0, "error": { "code": -32601, "message": "Method not found" } }),
        json!({ "error": { "code": -32022, "message": "no", "data": { "supported": ["2025-11-25"] } } }),
    ];
    for answer in answers {
        let start = Instant::now();
        let (connecting, mut peer) = connecting(Options::default(), CAPACITY);
        let request = peer.expect("server/discover").await;
        let mut message = json!({ "jsonrpc": "2.0", "id": request["id"] });
        message
            .as_object_mut()
            .unwrap()
            .extend(answer.as_object().unwrap().clone());
        peer.message(message).await;
        serve_initialize(&mut peer, "2025-11-25").await;
        let (connection, _events) = connecting.await.unwrap().unwrap();
        assert_eq!(connection.server().era, Era::Initialize, "{answer}");
        assert_eq!(start.elapsed().as_millis(), 0, "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_probe_without_an_answer_is_followed_by_initialize_after_a_second() {
    let start = Instant::now();
    let (connecting, mut peer) = connecting(Options::default(), CAPACITY);
    let probe = peer.expect("server/discover").await;
    let request = peer.expect("initialize").await;
    assert_eq!(start.elapsed().as_secs(), 1);
    assert_eq!(request["params"]["protocolVersion"], "2025-11-25");
    peer.result(&request, initialized("2025-06-18", &tools()))
        .await;
    peer.expect("notifications/initialized").await;
    let (connection, mut events) = connecting.await.unwrap().unwrap();
    assert_eq!(connection.server().protocol_version.as_str(), "2025-06-18");
    // The probe is neither cancelled nor missed; its late answer is nothing special.
    peer.error(&probe, json!({ "code": -32601, "message": "late" }))
        .await;
    peer.silent(Duration::from_secs(100)).await;
    assert_eq!(connection.stats().late_answers, 1);
    assert!(events.try_recv().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_boots_slowly_connects_in_either_era() {
    for stateless in [false, true] {
        let (connecting, mut peer) = connecting(Options::default(), CAPACITY);
        sleep(Duration::from_secs(25)).await;
        let probe = peer.expect("server/discover").await;
        let request = peer.expect("initialize").await;
        if stateless {
            // It refuses what it does not know, before or after the other answer.
            peer.error(
                &request,
                json!({ "code": -32601, "message": "no such method" }),
            )
            .await;
            sleep(Duration::from_secs(1)).await;
            peer.result(&probe, discovered(&["2026-07-28"], &tools()))
                .await;
        } else {
            peer.error(
                &probe,
                json!({ "code": -32601, "message": "no such method" }),
            )
            .await;
            peer.result(&request, initialized("2025-11-25", &tools()))
                .await;
            peer.expect("notifications/initialized").await;
        }
        let (connection, _events) = connecting.await.unwrap().unwrap();
        assert_eq!(connection.server().era == Era::Stateless, stateless);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_fails_after_the_start_timeout() {
    let start = Instant::now();
    let (connecting, mut peer) = connecting(Options::default(), CAPACITY);
    let error = connecting.await.unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "server did not answer within 30 s, before it answered initialize"
    );
    assert_eq!(start.elapsed().as_secs(), 30);
    peer.expect("server/discover").await;
    peer.expect("initialize").await;
    // lif-20: nothing of the handshake is cancelled.
    assert!(peer.ended().await);
}

#[tokio::test(start_paused = true)]
async fn an_answer_with_an_id_that_was_never_sent_is_named_at_once() {
    // lif-15
    let options = Options::default().era(Some(Era::Initialize));
    let (connecting, mut peer) = connecting(options, CAPACITY);
    peer.expect("initialize").await;
    let result = initialized("2025-11-25", &tools());
    peer.message(json!({ "jsonrpc": "2.0", "id": 0, "result": result }))
        .await;
    let error = connecting.await.unwrap().unwrap_err();
    assert!(
        error.to_string().contains("response with unexpected id 0"),
        "{error}"
    );
}

#[tokio::test]
async fn what_was_remembered_saves_the_probe() {
    let (connecting, mut peer) =
        connecting(Options::default().era(Some(Era::Initialize)), CAPACITY);
    serve_initialize(&mut peer, "2024-11-05").await;
    let (connection, _events) = connecting.await.unwrap().unwrap();
    assert_eq!(connection.server().protocol_version.as_str(), "2024-11-05");
}

#[tokio::test]
async fn what_was_remembered_wrongly_does_no_harm() {
    let (connecting, mut peer) =
        connecting(Options::default().era(Some(Era::Initialize)), CAPACITY);
    let request = peer.expect("initialize").await;
    let message = "initialize is gone; this server speaks 2026-07-28";
    peer.error(&request, json!({ "code": -32601, "message": message }))
        .await;
    let request = peer.expect("server/discover").await;
    peer.result(&request, discovered(&["2026-07-28"], &tools()))
        .await;
    let (connection, _events) = connecting.await.unwrap().unwrap();
    assert_eq!(connection.server().era, Era::Stateless);

    let (connecting, mut peer) = again(Options::default().era(Some(Era::Stateless)), CAPACITY);
    let request = peer.expect("server/discover").await;
    peer.error(
        &request,
        json!({ "code": -32601, "message": "Method not found" }),
    )
    .await;
    serve_initialize(&mut peer, "2025-03-26").await;
    let (connection, _events) = connecting.await.unwrap().unwrap();
    assert_eq!(connection.server().era, Era::Initialize);
}

#[tokio::test]
async fn a_version_in_the_answer_is_used_if_it_is_known() {
    // lif-27
    for version in ProtocolVersion::SUPPORTED {
        let (connecting, mut peer) =
            connecting(Options::default().era(Some(Era::Initialize)), CAPACITY);
        serve_initialize(&mut peer, version.as_str()).await;
        let (connection, _events) = connecting.await.unwrap().unwrap();
        assert_eq!(connection.server().protocol_version, *version);
    }
    for unknown in ["1.0", "latest", "2024-10-07", ""] {
        let (connecting, mut peer) =
            connecting(Options::default().era(Some(Era::Initialize)), CAPACITY);
        let request = peer.expect("initialize").await;
        peer.result(&request, initialized(unknown, &tools())).await;
        let error = connecting.await.unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "no common protocol version: the server has {unknown}, this client has 2026-07-28, \
                 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"
            )
        );
        assert!(peer.ended().await);
    }
}

#[tokio::test]
async fn a_refusal_that_names_a_version_gets_one_more_try() {
    // lif-28
    let refusals = [
        json!({ "code": -32602, "message": "no", "data": { "supported": ["2025-06-18"] } }),
        json!({ "code": -32602, "message": "no", "data": { "expected": "2025-06-18" } }),
        json!({ "code": -32000, "message": "only 2024-11-05 and 2025-06-18 are supported" }),
    ];
    for refusal in refusals {
        let (connecting, mut peer) =
            connecting(Options::default().era(Some(Era::Initialize)), CAPACITY);
        let request = peer.expect("initialize").await;
        peer.error(&request, refusal).await;
        let request = peer.expect("initialize").await;
        assert_eq!(request["params"]["protocolVersion"], "2025-06-18");
        peer.result(&request, initialized("2025-06-18", &tools()))
            .await;
        let (connection, _events) = connecting.await.unwrap().unwrap();
        assert_eq!(connection.server().protocol_version.as_str(), "2025-06-18");
    }
    let (connecting, mut peer) =
        connecting(Options::default().era(Some(Era::Initialize)), CAPACITY);
    for _ in 0..2 {
        let request = peer.expect("initialize").await;
        let message = "only 2025-06-18 (not 2025-11-25)";
        peer.error(&request, json!({ "code": -32602, "message": message }))
            .await;
    }
    let error = connecting.await.unwrap().unwrap_err();
    assert!(
        matches!(
            error,
            ConnectError::Refused {
                method: "initialize",
                code: -32602,
                ..
            }
        ),
        "{error}"
    );
}

#[tokio::test]
async fn without_a_common_version_both_sides_are_named() {
    let answers = [
        json!({ "result": discovered(&["2030-01-01"], &tools()) }),
        json!({ "error": { "code": -32022, "message": "no", "data": { "supported": ["2030-01-01"] } } }),
    ];
    for answer in answers {
        let (connecting, mut peer) = connecting(Options::default(), CAPACITY);
        let request = peer.expect("server/discover").await;
        let mut message = json!({ "jsonrpc": "2.0", "id": request["id"] });
        message
            .as_object_mut()
            .unwrap()
            .extend(answer.as_object().unwrap().clone());
        peer.message(message).await;
        let error = connecting.await.unwrap().unwrap_err();
        assert!(
            error
                .to_string()
                .contains("the server has 2030-01-01, this client has 2026-07-28")
        );
    }
}

#[tokio::test]
async fn a_server_that_ends_during_the_handshake_says_how_far_it_came() {
    let (connecting, mut peer) = connecting(Options::default(), CAPACITY);
    peer.expect("server/discover").await;
    peer.end().await;
    let error = connecting.await.unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "server closed its output before it answered server/discover"
    );
}
