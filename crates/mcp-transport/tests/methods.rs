//! The methods beside tool calls and lists: what they send, and what they make of the answers.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod support;

use mcp_transport::{CompletionRef, Connection, LogLevel, Options, RequestError};
use serde_json::{Value, json};
use support::{connected, raw, spawn};

/// Runs a request against one answer, and gives what was sent.
async fn exchanged<F, R, T>(method: &str, answer: Value, ask: F) -> (Value, Result<T, RequestError>)
where
    F: FnOnce(Connection) -> R + Send + 'static,
    R: Future<Output = Result<T, RequestError>> + Send + 'static,
    T: Send + 'static,
{
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let asking = spawn(async move { ask(connection).await });
    let request = peer.expect(method).await;
    let mut message = json!({ "jsonrpc": "2.0", "id": request["id"] });
    message
        .as_object_mut()
        .unwrap()
        .extend(answer.as_object().unwrap().clone());
    peer.message(message).await;
    (request["params"].clone(), asking.await.unwrap())
}

#[tokio::test]
async fn a_resource_is_read() {
    let contents = json!([{ "uri": "a://1", "text": "hi" }]);
    let result = json!({ "result": { "contents": contents, "ttlMs": 5, "cacheScope": "public" } });
    let read = |connection: Connection| async move { connection.read_resource("a://1").await };
    let (params, read) = exchanged("resources/read", result, read).await;
    assert_eq!(params["uri"], "a://1");
    let read = read.unwrap();
    assert_eq!(read.contents()[0].get(), r#"{"text":"hi","uri":"a://1"}"#);
    let cache = read.cache().unwrap();
    assert_eq!((cache.ttl.as_millis(), cache.public), (5, true));

    let read = |connection: Connection| async move { connection.read_resource("a://1").await };
    let (_, read) = exchanged(
        "resources/read",
        json!({ "result": { "contents": {} } }),
        read,
    )
    .await;
    assert_eq!(
        read.unwrap_err().to_string(),
        "Invalid result for resources/read: contents: expected an array, found an object"
    );
}

#[tokio::test]
async fn a_prompt_is_expanded() {
    let messages = json!([{ "role": "user", "content": { "type": "text", "text": "hi" } }]);
    let result = json!({ "result": { "description": "d", "messages": messages } });
    let get = |connection: Connection| async move {
        connection
            .get_prompt("greet", Some(&raw(r#"{"who":"you"}"#)))
            .await
    };
    let (params, prompt) = exchanged("prompts/get", result, get).await;
    assert_eq!(
        (&params["name"], &params["arguments"]),
        (&json!("greet"), &json!({ "who": "you" }))
    );
    let prompt = prompt.unwrap();
    assert_eq!(prompt.description().as_deref(), Some("d"));
    assert_eq!(prompt.messages().len(), 1);
}

#[tokio::test]
async fn values_are_suggested() {
    let completion = json!({ "values": ["a", "b"], "total": 7, "hasMore": true });
    let complete = |connection: Connection| async move {
        let context = raw(r#"{"x":"1"}"#);
        connection
            .complete(CompletionRef::Prompt("greet"), "who", "y", Some(&context))
            .await
    };
    let result = json!({ "result": { "completion": completion } });
    let (params, completion) = exchanged("completion/complete", result, complete).await;
    assert_eq!(
        params["ref"],
        json!({ "type": "ref/prompt", "name": "greet" })
    );
    assert_eq!(params["argument"], json!({ "name": "who", "value": "y" }));
    assert_eq!(params["context"], json!({ "arguments": { "x": "1" } }));
    let completion = completion.unwrap();
    assert_eq!(completion.values, ["a", "b"]);
    assert_eq!((completion.total, completion.has_more), (Some(7), true));

    let cases = [
        (json!({}), "completion: expected an object, found null"),
        (
            json!({ "completion": {} }),
            "completion.values: expected an array of strings, found null",
        ),
        (
            json!({ "completion": { "values": [1] } }),
            "completion.values: expected an array of strings, found an array",
        ),
    ];
    for (result, expected) in cases {
        let complete = |connection: Connection| async move {
            connection
                .complete(CompletionRef::Resource("a://{x}"), "x", "", None)
                .await
        };
        let (params, completion) =
            exchanged("completion/complete", json!({ "result": result }), complete).await;
        assert_eq!(
            params["ref"],
            json!({ "type": "ref/resource", "uri": "a://{x}" })
        );
        let expected = format!("Invalid result for completion/complete: {expected}");
        assert_eq!(completion.unwrap_err().to_string(), expected);
    }
}

#[tokio::test]
async fn a_log_level_is_asked_for_and_any_empty_answer_will_do() {
    for result in [json!({}), json!(null), json!("ok")] {
        let set =
            |connection: Connection| async move { connection.set_log_level(LogLevel::Error).await };
        let (params, done) = exchanged("logging/setLevel", json!({ "result": result }), set).await;
        assert_eq!(params["level"], "error");
        done.unwrap();
    }
    let set =
        |connection: Connection| async move { connection.set_log_level(LogLevel::Error).await };
    let error = json!({ "error": { "code": -32601, "message": "no" } });
    let (_, done) = exchanged("logging/setLevel", error, set).await;
    assert!(matches!(
        done,
        Err(RequestError::Server { code: -32601, .. })
    ));
}

#[tokio::test]
async fn any_answer_to_a_ping_proves_life() {
    let answers = [
        json!({ "result": {} }),
        json!({ "result": null }),
        json!({ "error": { "code": -32601, "message": "no" } }),
    ];
    for answer in answers {
        let ping = |connection: Connection| async move { connection.ping().await };
        exchanged("ping", answer, ping).await.1.unwrap();
    }
}
