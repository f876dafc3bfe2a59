//! A server of an independent make, built on rmcp, in both eras.

#![cfg(all(feature = "stdio", unix))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod stdio_support;

use std::sync::{Arc, Mutex};

use mcp_transport::process::{EndStep, ProcessSpec};
use mcp_transport::{CallOptions, Connection, Era, Event, Handlers, Options, RequestError, model};
use serde_json::json;
use serde_json::value::to_raw_value;
use stdio_support::{call, example, quick, text_of, within};
use tokio_util::sync::CancellationToken;

/// The newest revision of the server, and how it is spoken to.
const PEERS: [(&str, &str, Era); 4] = [
    ("2024-11-05", "2024-11-05", Era::Initialize),
    ("2025-06-18", "2025-06-18", Era::Initialize),
    ("2025-11-25", "2025-11-25", Era::Initialize),
    ("2026-07-28", "2026-07-28", Era::Stateless),
];

async fn connected(newest: &str, options: Options) -> (Connection, mcp_transport::Events) {
    let spec = ProcessSpec::new(example("rmcp-server"), "/").args([newest]);
    let root = || model::Root::new("file:///project");
    let handlers =
        Handlers::new().roots(move || async move { Ok(model::ListRootsResult::new(vec![root()])) });
    let connecting = Connection::stdio(spec, options.handlers(handlers));
    within("connecting", connecting).await.unwrap()
}

#[tokio::test]
async fn it_is_spoken_to_in_its_newest_revision() {
    for (newest, version, era) in PEERS {
        let (connection, mut events) = connected(newest, Options::default()).await;
        let server = connection.server();
        assert_eq!(
            (server.protocol_version.as_str(), server.era),
            (version, era)
        );
        assert_eq!(server.name.as_deref(), Some("rmcp-peer"));
        assert_eq!(server.instructions.as_deref(), Some("Be quick."));
        let tools = within("listing", connection.tools()).await.unwrap();
        let names: Vec<_> = tools.items.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["echo", "steps", "roots", "wait"]);
        assert!(tools.problems.is_empty());
        within("a ping", connection.ping()).await.unwrap();
        let report = within("closing", connection.close()).await;
        assert_eq!(report.ended.unwrap().step, EndStep::Exited);
        while let Some(event) = events.recv().await {
            assert!(matches!(event, Event::Log(_)), "{event:?}");
        }
        assert_eq!(connection.stats().malformed, 0);
    }
}

#[tokio::test]
async fn calls_progress_and_questions_work_in_both_eras() {
    for (newest, ..) in PEERS {
        let (connection, _events) = connected(newest, Options::default()).await;
        let arguments = to_raw_value(&json!({ "text": "a – b\n" })).unwrap();
        let echo = connection.call_tool("echo", &arguments, CallOptions::new());
        assert_eq!(text_of(within("a call", echo).await), arguments.get());

        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&seen);
        let options = CallOptions::new().on_progress(move |progress| {
            sink.lock().unwrap().push(progress.progress);
        });
        let steps = connection.call_tool("steps", &arguments, options);
        assert_eq!(text_of(within("a call", steps).await), "three steps");
        assert_eq!(*seen.lock().unwrap(), [1.0, 2.0, 3.0], "{newest}");

        let roots = text_of(call(&connection, "roots").await);
        assert!(
            roots.contains(r#""uri":"file:///project""#),
            "{newest}: {roots}"
        );

        let error = call(&connection, "nothing").await.unwrap_err();
        assert!(
            matches!(error, RequestError::Server { code: -32602, .. }),
            "{error}"
        );
        connection.close().await;
    }
}

#[tokio::test]
async fn a_call_that_is_given_up_leaves_the_connection_whole() {
    for (newest, ..) in PEERS {
        // The server waits for its tool before it ends.
        let (connection, _events) = connected(newest, quick()).await;
        let token = CancellationToken::new();
        let arguments = to_raw_value(&json!({})).unwrap();
        let options = CallOptions::new().cancel(token.clone());
        let cancel = async {
            tokio::task::yield_now().await;
            token.cancel();
        };
        let waiting = connection.call_tool("wait", &arguments, options);
        let (outcome, ()) = within("cancelling", async { tokio::join!(waiting, cancel) }).await;
        assert!(matches!(outcome, Err(RequestError::Cancelled { .. })));
        assert_eq!(text_of(call(&connection, "echo").await), "{}");
        let stats = connection.stats();
        assert_eq!((stats.unknown_answers, stats.duplicate_answers), (0, 0));
        connection.close().await;
    }
}
