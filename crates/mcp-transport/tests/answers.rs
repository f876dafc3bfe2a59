//! Which request an answer belongs to, and what becomes of answers that are odd.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod support;

use std::time::Duration;

use mcp_transport::{CallOptions, Event, Options, RequestError};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use support::{call, call_with, connected, text, text_of};

#[tokio::test]
async fn ids_begin_with_one() {
    // lif-15; the handshake of `connected` was request 1.
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let _call = call(&connection);
    assert_eq!(peer.expect("tools/call").await["id"], 2);
}

#[tokio::test]
async fn an_id_that_came_back_as_a_string_is_taken() {
    // lif-14
    let forms: [fn(&Value) -> String; 3] = [
        ToString::to_string,
        |id| format!("\"{id}\""),
        |id| format!("{id}.0"),
    ];
    for form in forms {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        let id = form(&request["id"]);
        peer.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#,
            text("ok")
        ))
        .await;
        assert_eq!(text_of(answer.await.unwrap()), "ok", "{id}");
        assert_eq!(connection.stats().unknown_answers, 0);
    }
}

#[tokio::test]
async fn a_result_whose_name_is_written_with_escapes_is_read_as_any_other() {
    for result in ["{}", r#"{"content":[{"type":"text","text":"}"}] }"#] {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        let id = &request["id"];
        peer.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"re\u0073ult": {result} }}"#
        ))
        .await;
        assert_eq!(answer.await.unwrap().unwrap().raw(), result);
    }
}

#[tokio::test(start_paused = true)]
async fn answers_to_nothing_are_counted_and_named_by_the_error() {
    // lif-14, lif-15, lif-16
    let cases = [
        (
            r#"{"jsonrpc":"2.0","id":0,"result":{}}"#,
            "response with unexpected id 0",
        ),
        (
            r#"{"jsonrpc":"2.0","id":"2.0","result":{}}"#,
            "response with unexpected id \"2.0\"",
        ),
        (
            r#"{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}"#,
            "response with unexpected id 99",
        ),
        (
            r#"{"jsonrpc":"2.0","id":"","result":{}}"#,
            "response with unexpected id \"\"",
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"odd"}}"#,
            "error without an id: server error -32603: odd",
        ),
        (
            r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"odd"}}"#,
            "error without an id: server error -32603: odd",
        ),
        (r#"{"jsonrpc":"2.0","result":{}}"#, "response without an id"),
    ];
    for (line, expected) in cases {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call_with(
            &connection,
            CallOptions::new().timeout(Duration::from_secs(5)),
        );
        peer.expect("tools/call").await;
        peer.line(line).await;
        let error = answer.await.unwrap().unwrap_err();
        assert!(matches!(error, RequestError::Timeout { .. }), "{error}");
        assert!(
            error.to_string().contains(expected),
            "{error} has not {expected}"
        );
        let stats = connection.stats();
        assert_eq!(stats.unknown_answers, 1, "{line}");
        assert!(stats.reports[0].contains(expected), "{:?}", stats.reports);
        // The connection goes on.
        peer.expect("notifications/cancelled").await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        peer.result(&request, text("still here")).await;
        assert_eq!(text_of(answer.await.unwrap()), "still here");
    }
}

#[tokio::test]
async fn a_server_that_could_not_read_the_only_request_fails_it() {
    // lif-16
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let answer = call(&connection);
    peer.expect("tools/call").await;
    peer.line(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}"#)
        .await;
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!(error.to_string(), "server error -32700: parse");
}

#[tokio::test]
async fn of_two_answers_the_first_wins() {
    // lif-17
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    peer.result(&request, text("first")).await;
    peer.error(&request, json!({ "code": -32603, "message": "second" }))
        .await;
    assert_eq!(text_of(answer.await.unwrap()), "first");
    connection.ping_and_serve(&mut peer).await;
    assert_eq!(connection.stats().duplicate_answers, 1);
    assert_eq!(connection.stats().reports, ["second response with id 2"]);
}

#[tokio::test]
async fn a_late_answer_is_ignored() {
    // lif-18
    for late in [
        json!({ "result": {} }),
        json!({ "error": { "code": 1, "message": "x" } }),
    ] {
        let (connection, mut events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        answer.abort();
        assert_eq!(
            peer.expect("notifications/cancelled").await["params"]["requestId"],
            request["id"]
        );
        let mut message = json!({ "jsonrpc": "2.0", "id": request["id"] });
        message
            .as_object_mut()
            .unwrap()
            .extend(late.as_object().unwrap().clone());
        peer.message(message).await;
        connection.ping_and_serve(&mut peer).await;
        let stats = connection.stats();
        assert_eq!(
            (
                stats.late_answers,
                stats.duplicate_answers,
                stats.unknown_answers
            ),
            (1, 0, 0)
        );
        assert!(!connection.dropped());
        assert!(events.try_recv().is_none());
    }
}

#[tokio::test]
async fn a_malformed_answer_fails_its_request_at_once() {
    let cases = [
        (
            r#""result":"text""#,
            r#"result: expected an object, found a string: "text""#,
        ),
        (r#""result":null"#, "result: expected an object, found null"),
        (
            r#""result":[]"#,
            "result: expected an object, found an array: []",
        ),
        (
            r#""result":5"#,
            "result: expected an object, found a number: 5",
        ),
        (
            r#""result":{"isError":"yes"}"#,
            "isError: expected a boolean, found a string",
        ),
        (
            r#""error":"oops""#,
            r#"error: expected an object, found a string: "oops""#,
        ),
        (
            r#""result":{},"error":{"code":1,"message":"x"}"#,
            "message: both a result and an error",
        ),
        (
            r#""unknown":1"#,
            "message: it has neither a method, a result nor an error",
        ),
        (r#""result":{"a":tru}"#, "message: the message is not JSON"),
        (r#""result":{"a":"cut"#, "message: the message is not JSON"),
    ];
    for (rest, expected) in cases {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let id = peer.expect("tools/call").await["id"].clone();
        peer.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},{rest}}}"#))
            .await;
        let error = answer.await.unwrap().unwrap_err();
        let expected = format!("Invalid result for tools/call: {expected}");
        assert!(
            error.to_string().starts_with(&expected),
            "{error}, not {expected}"
        );
    }
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let answer = call(&connection);
    let id = peer.expect("tools/call").await["id"].clone();
    peer.line(&format!(r#"{{"id":{id},"result":{{}}}}"#)).await;
    let error = answer.await.unwrap().unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("member \"jsonrpc\" is not \"2.0\""),
        "{error}"
    );
    assert_eq!(connection.stats().malformed, 1);
}

#[tokio::test]
async fn an_error_keeps_code_message_and_data() {
    let cases = [
        (
            json!({ "code": -32602, "message": "no such tool", "data": { "a": 1 } }),
            -32602,
            "no such tool",
            Some(r#"{"a":1}"#),
        ),
        (
            json!({ "code": 5.0, "message": null, "data": null }),
            5,
            "",
            None,
        ),
        (json!({ "code": "-7", "message": 3 }), -7, "3", None),
        (json!({}), 0, "", None),
    ];
    for (error, code, message, data) in cases {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        peer.error(&request, error).await;
        let RequestError::Server {
            code: found,
            message: text,
            data: kept,
            ..
        } = answer.await.unwrap().unwrap_err()
        else {
            panic!("not a server error")
        };
        assert_eq!(
            (found, text.as_str(), kept.as_deref().map(RawValue::get)),
            (code, message, data)
        );
    }
}

#[tokio::test]
async fn of_a_member_that_an_error_writes_twice_the_last_one_counts() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    peer.line(&format!(
        r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":1,"message":"first","code":2,"message":"last"}}}}"#,
        request["id"]
    ))
    .await;
    let error = answer.await.unwrap().unwrap_err();
    assert!(
        matches!(&error, RequestError::Server { code: 2, message, .. } if message == "last"),
        "{error}"
    );
}

#[tokio::test]
async fn members_that_are_null_beside_what_counts_are_absent() {
    for extra in [
        json!({ "error": null }),
        json!({ "error": null, "method": null, "params": null }),
    ] {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let id = peer.expect("tools/call").await["id"].clone();
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "result": text("ok") });
        message
            .as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        peer.message(message).await;
        assert_eq!(text_of(answer.await.unwrap()), "ok", "{extra}");

        let answer = call(&connection);
        let id = peer.expect("tools/call").await["id"].clone();
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "result": null });
        message
            .as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        message["error"] = json!({ "code": 7, "message": "no" });
        peer.message(message).await;
        let error = answer.await.unwrap().unwrap_err();
        assert!(
            matches!(error, RequestError::Server { code: 7, .. }),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_notification_whose_other_members_are_null_is_heard() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    peer.message(
        json!({ "jsonrpc": "2.0", "id": null, "method": "notifications/tools/list_changed",
        "params": null, "result": null, "error": null }),
    )
    .await;
    assert!(matches!(events.recv().await.unwrap(), Event::ToolsChanged));
    assert_eq!(connection.stats().malformed, 0);
}

#[tokio::test]
async fn an_answer_that_repeats_the_method_is_an_answer() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    for method in [json!("tools/call"), json!(5)] {
        let answer = call(&connection);
        let id = peer.expect("tools/call").await["id"].clone();
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "result": text("ok") });
        peer.message(message).await;
        assert_eq!(text_of(answer.await.unwrap()), "ok", "{method}");
    }
}

#[tokio::test]
async fn many_calls_at_once_get_their_own_answers() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..200 {
        let connection = connection.clone();
        calls.spawn(async move {
            let arguments = support::raw(&format!("{{\"n\":{number}}}"));
            let result = connection
                .call_tool("work", &arguments, CallOptions::new())
                .await;
            assert_eq!(text_of(result), number.to_string());
        });
    }
    let mut requests = Vec::new();
    for _ in 0..200 {
        requests.push(peer.expect("tools/call").await);
    }
    for request in requests.iter().rev() {
        peer.result(
            request,
            text(&request["params"]["arguments"]["n"].to_string()),
        )
        .await;
    }
    while let Some(done) = calls.join_next().await {
        done.unwrap();
    }
    assert_eq!(connection.stats().pending, 0);
}

trait PingAndServe {
    async fn ping_and_serve(&self, peer: &mut support::Peer);
}

impl PingAndServe for mcp_transport::Connection {
    /// A round trip: everything that was sent before is taken afterwards.
    async fn ping_and_serve(&self, peer: &mut support::Peer) {
        let serve = async {
            let request = peer.expect("ping").await;
            peer.result(&request, json!({})).await;
        };
        let (pinged, ()) = tokio::join!(self.ping(), serve);
        pinged.unwrap();
    }
}

#[tokio::test]
async fn an_answer_cut_off_by_the_end_fails_its_request_with_the_end() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let answer = call(&connection);
    let id = peer.expect("tools/call").await["id"].clone();
    peer.bytes(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"te"#).as_bytes())
        .await;
    peer.end().await;
    let error = answer.await.unwrap().unwrap_err();
    assert!(
        matches!(error, RequestError::Dropped { sent: true, .. }),
        "{error}"
    );
    let logs = support::logs(&mut events);
    assert!(
        logs[0]
            .data
            .starts_with("malformed message: the output ended in the middle of it")
    );
}

#[tokio::test]
async fn a_server_error_is_shown_without_what_it_does_not_say() {
    let cases = [
        (
            json!({ "code": -32000, "message": "" }),
            "server error -32000",
        ),
        (
            json!({ "code": "E1", "message": "odd" }),
            "server error 0: code \"E1\": odd",
        ),
        (
            json!({ "code": -32000, "message": "odd" }),
            "server error -32000: odd",
        ),
    ];
    for (error, expected) in cases {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        peer.error(&request, error).await;
        assert_eq!(answer.await.unwrap().unwrap_err().to_string(), expected);
    }
}
