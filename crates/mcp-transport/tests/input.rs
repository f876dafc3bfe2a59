//! Results that ask for input first, on the stateless revision.

mod support;

use std::time::Duration;

use mcp_transport::{CallOptions, Handlers, Options, RequestError, model};
use serde_json::{Value, json};
use support::{call, call_with, stateless, text_of};
use tokio::time::{Instant, sleep};

fn offering() -> Options {
    Options::default().handlers(
        Handlers::new()
            .roots(|| async {
                Ok(model::ListRootsResult::new(vec![model::Root::new(
                    "file:///p",
                )]))
            })
            .elicitation(|_| async {
                sleep(Duration::from_secs(90)).await;
                Ok(model::ElicitResult::new(model::ElicitationAction::Cancel))
            }),
    )
}

fn asking(requests: &Value, state: &Value) -> Value {
    json!({ "resultType": "input_required", "inputRequests": requests, "requestState": state })
}

fn complete(text: &str) -> Value {
    json!({ "resultType": "complete", "content": [{ "type": "text", "text": text }] })
}

#[tokio::test(start_paused = true)]
async fn the_request_is_sent_again_with_the_answers_and_the_state() {
    let (connection, _events, mut peer) = stateless(offering(), json!({ "tools": {} })).await;
    let answer = call(&connection);
    let first = peer.expect("tools/call").await;
    let elicitation = json!({ "method": "elicitation/create",
        "params": { "message": "?", "requestedSchema": { "type": "object", "properties": {} } } });
    let requests = json!({ "the \"roots\"": { "method": "roots/list" }, "b": elicitation });
    peer.result(&first, asking(&requests, &json!("opaque\u{e9}")))
        .await;
    let second = peer.expect("tools/call").await;
    assert_ne!(first["id"], second["id"]);
    assert_eq!(second["params"]["name"], "work");
    assert_eq!(
        second["params"]["inputResponses"],
        json!({ "the \"roots\"": { "roots": [{ "uri": "file:///p" }] }, "b": { "action": "cancel" } })
    );
    assert_eq!(second["params"]["requestState"], "opaque\u{e9}");
    // The second round only asks for patience.
    peer.result(
        &second,
        json!({ "resultType": "input_required", "requestState": "2" }),
    )
    .await;
    let third = peer.expect("tools/call").await;
    assert_eq!(third["params"].get("inputResponses"), None);
    assert_eq!(third["params"]["requestState"], "2");
    peer.result(&third, complete("done")).await;
    assert_eq!(text_of(answer.await.unwrap()), "done");
}

#[tokio::test(start_paused = true)]
async fn the_rounds_are_bounded() {
    let (connection, _events, mut peer) = stateless(offering(), json!({ "tools": {} })).await;
    let answer = call(&connection);
    for round in 0..11 {
        let request = peer.expect("tools/call").await;
        peer.result(&request, asking(&json!({}), &json!(round.to_string())))
            .await;
    }
    let error = answer.await.unwrap().unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("was not completed: the server asked for more input after 10 rounds"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn what_the_host_does_not_offer_fails_the_request() {
    let (connection, _events, mut peer) =
        stateless(Options::default(), json!({ "tools": {} })).await;
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    peer.result(
        &request,
        asking(&json!({ "a": { "method": "roots/list" } }), &json!(null)),
    )
    .await;
    let error = answer.await.unwrap().unwrap_err();
    assert!(
        matches!(&error, RequestError::Input { message, .. } if message.starts_with("roots/list")),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn malformed_results_say_where() {
    let cases = [
        (
            json!({ "resultType": "later" }),
            "resultType: unexpected result type \"later\"",
        ),
        (
            json!({ "resultType": "input_required" }),
            "result: neither inputRequests nor requestState",
        ),
        (
            asking(&json!([]), &json!(null)),
            "inputRequests: expected an object, found an array",
        ),
        (
            asking(&json!({ "a": 5 }), &json!(null)),
            "inputRequests.a: expected an object, found a number",
        ),
        (
            asking(&json!({ "a": {} }), &json!(null)),
            "inputRequests.a.method: missing",
        ),
        (
            asking(&json!({}), &json!(5)),
            "requestState: expected a string, found a number",
        ),
    ];
    for (result, expected) in cases {
        let (connection, _events, mut peer) = stateless(offering(), json!({ "tools": {} })).await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        peer.result(&request, result).await;
        let error = answer.await.unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("Invalid result for tools/call: {expected}")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_person_has_the_limits_of_the_call() {
    let (connection, _events, mut peer) = stateless(offering(), json!({ "tools": {} })).await;
    let start = Instant::now();
    let answer = call_with(
        &connection,
        CallOptions::new().max_total(Duration::from_secs(20)),
    );
    let request = peer.expect("tools/call").await;
    let elicitation = json!({ "method": "elicitation/create",
        "params": { "message": "?", "requestedSchema": { "type": "object", "properties": {} } } });
    let requests = json!({ "a": elicitation });
    peer.result(&request, asking(&requests, &json!(null))).await;
    let error = answer.await.unwrap().unwrap_err();
    assert!(matches!(error, RequestError::Timeout { .. }), "{error}");
    assert_eq!(start.elapsed().as_secs(), 20);
    // A drop ends the waiting too.
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    peer.result(&request, asking(&requests, &json!(null))).await;
    sleep(Duration::from_secs(1)).await;
    peer.end().await;
    assert!(matches!(
        answer.await.unwrap(),
        Err(RequestError::Dropped { sent: true, .. })
    ));
}

#[tokio::test]
async fn older_revisions_know_no_result_types() {
    let (connection, _events, mut peer) = support::connected(Options::default()).await;
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    let mut result = complete("done");
    result["resultType"] = json!("whatever");
    peer.result(&request, result).await;
    assert_eq!(text_of(answer.await.unwrap()), "done");
}
