//! The events of a connection, drops among them.

mod support;

use std::time::Duration;

use mcp_transport::{Connection, DropReason, Event, LogSource, Options, RequestError};
use serde_json::json;
use support::{call, connected, logs, stateless};
use tokio::time::Instant;

fn shown(event: &Event) -> String {
    match event {
        Event::ResourceUpdated { uri } => format!("updated {uri}"),
        Event::Log(entry) => format!("{} {}", entry.level, entry.data),
        Event::Dropped(reason) => format!("dropped: {reason}"),
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn events_come_in_order_and_unread_changes_are_one() {
    // lif-01, lif-04: changes need no declaration.
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    for _ in 0..200 {
        peer.notify("notifications/tools/list_changed", json!({}))
            .await;
    }
    peer.notify(
        "notifications/message",
        json!({ "level": "warning", "logger": "db", "data": "slow" }),
    )
    .await;
    peer.notify("notifications/prompts/list_changed", json!(null))
        .await;
    peer.notify("notifications/tools/list_changed", json!({}))
        .await;
    peer.notify("notifications/resources/updated", json!({ "uri": "a://1" }))
        .await;
    peer.notify("notifications/resources/updated", json!({ "uri": "a://1" }))
        .await;
    peer.notify("notifications/resources/updated", json!({ "uri": "a://2" }))
        .await;
    peer.notify("notifications/resources/list_changed", json!({}))
        .await;
    peer.end().await;
    while !connection.dropped() {
        tokio::task::yield_now().await;
    }
    let mut seen = Vec::new();
    while let Some(event) = events.recv().await {
        seen.push(shown(&event));
    }
    assert_eq!(
        seen,
        [
            "ToolsChanged",
            "warning slow",
            "PromptsChanged",
            "updated a://1",
            "updated a://2",
            "ResourcesChanged",
            "dropped: server closed its output",
        ]
    );
}

#[tokio::test]
async fn a_change_after_the_last_one_was_read_is_told_again() {
    let (_connection, mut events, mut peer) = connected(Options::default()).await;
    for _ in 0..3 {
        peer.notify("notifications/tools/list_changed", json!({}))
            .await;
        assert!(matches!(events.recv().await, Some(Event::ToolsChanged)));
    }
}

#[tokio::test]
async fn log_messages_keep_level_logger_and_data_whatever_their_shape() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let cases = [
        (
            json!({ "level": "error", "logger": "db", "data": "text" }),
            ("error", Some("db"), "text"),
        ),
        (
            json!({ "level": "info", "data": { "a": [1, 2] } }),
            ("info", None, "{\"a\":[1,2]}"),
        ),
        (json!({ "data": null, "logger": null }), ("info", None, "")),
        (json!({ "level": 3, "data": 7 }), ("3", None, "7")),
        (json!({}), ("info", None, "")),
    ];
    for (params, (level, logger, data)) in cases {
        peer.notify("notifications/message", params).await;
        let Some(Event::Log(entry)) = events.recv().await else {
            panic!("no log entry")
        };
        assert_eq!(entry.source, LogSource::Message);
        assert_eq!(
            (
                entry.level.as_str(),
                entry.logger.as_deref(),
                entry.data.as_str()
            ),
            (level, logger, data)
        );
    }
    // Of a member that is written twice the last one counts.
    peer.line(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"first","data":"last"}}"#)
        .await;
    let Some(Event::Log(entry)) = events.recv().await else {
        panic!("no log entry")
    };
    assert_eq!(
        (entry.source, entry.data.as_str()),
        (LogSource::Message, "last")
    );
    // One malformed entry costs only itself, and unknown notifications nothing.
    peer.notify("notifications/message", json!([])).await;
    let Some(Event::Log(entry)) = events.recv().await else {
        panic!("no log entry")
    };
    assert_eq!(entry.source, LogSource::Protocol);
    peer.notify("notifications/novelty", json!({})).await;
    peer.notify("notifications/tools/list_changed", json!({}))
        .await;
    assert!(matches!(events.recv().await, Some(Event::ToolsChanged)));
    let stats = connection.stats();
    assert_eq!((stats.malformed, stats.unknown_notifications), (1, 1));
}

#[tokio::test]
async fn a_host_that_reads_no_events_loses_log_entries_and_nothing_else() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    for number in 0..1100 {
        peer.notify(
            "notifications/message",
            json!({ "level": "info", "data": number }),
        )
        .await;
    }
    peer.notify("notifications/tools/list_changed", json!({}))
        .await;
    peer.end().await;
    while !connection.dropped() {
        tokio::task::yield_now().await;
    }
    assert_eq!(connection.stats().events_lost, 76);
    let mut seen = Vec::new();
    while let Some(event) = events.recv().await {
        seen.push(shown(&event));
    }
    assert_eq!(seen.len(), 1026);
    assert_eq!(
        seen[1024..],
        ["ToolsChanged", "dropped: server closed its output"]
    );
}

#[tokio::test]
async fn what_nobody_reads_is_bounded_whichever_member_is_long() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let long = "x".repeat(200 * 1024);
    for number in 0..10 {
        let entry = json!({ "level": "info", "logger": long, "data": number });
        peer.notify("notifications/message", entry).await;
        let uri = json!({ "uri": format!("{long}{number}") });
        peer.notify("notifications/resources/updated", uri).await;
    }
    peer.end().await;
    while !connection.dropped() {
        tokio::task::yield_now().await;
    }
    let mut kept = Vec::new();
    while let Some(event) = events.recv().await {
        kept.push(match event {
            Event::Log(_) => "log",
            Event::ResourceUpdated { .. } => "updated",
            Event::ResourcesChanged => "changed",
            _ => "end",
        });
    }
    let count = |word| kept.iter().filter(|kept| **kept == word).count();
    assert_eq!(
        (count("log"), count("updated"), count("changed")),
        (5, 5, 1)
    );
    assert_eq!(connection.stats().events_lost, 5);
}

#[tokio::test]
async fn a_drop_is_known_before_its_event_and_fails_every_call() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let running = call(&connection);
    peer.expect("tools/call").await;
    assert!(!connection.dropped() && connection.drop_reason().is_none());
    peer.end().await;
    let Some(Event::Dropped(reason)) = events.recv().await else {
        panic!("no drop")
    };
    assert!(connection.dropped());
    assert!(matches!(*reason, DropReason::ClosedOutput { .. }));
    assert!(std::sync::Arc::ptr_eq(
        &reason,
        &connection.drop_reason().unwrap()
    ));
    let lost = running.await.unwrap().unwrap_err();
    assert!(matches!(lost, RequestError::Dropped { sent: true, .. }));
    assert!(
        lost.to_string()
            .ends_with("the outcome of the request is unknown")
    );
    // lif-36: what is asked afterwards says that it was not sent.
    let after = call(&connection).await.unwrap().unwrap_err();
    assert_eq!(
        after.to_string(),
        "connection dropped: server closed its output; the request was not sent"
    );
    assert!(events.recv().await.is_none());
    connection.close().await;
}

#[tokio::test]
async fn our_own_close_tells_no_drop() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let running = call(&connection);
    peer.expect("tools/call").await;
    let (first, second) = tokio::join!(connection.close(), connection.close());
    assert_eq!(first, second);
    assert!(matches!(running.await.unwrap(), Err(RequestError::Closed)));
    assert!(matches!(
        call(&connection).await.unwrap(),
        Err(RequestError::Closed)
    ));
    assert!(peer.ended().await);
    assert!(events.recv().await.is_none());
    assert!(!connection.dropped());
}

#[tokio::test]
async fn the_last_handle_ends_the_connection() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let clone: Connection = connection.clone();
    drop(connection);
    assert!(!clone.dropped());
    drop(clone);
    assert!(peer.ended().await);
    assert!(events.recv().await.is_none());
}

#[test]
fn a_connection_may_be_dropped_outside_a_runtime() {
    for multi in [false, true] {
        let mut builder = if multi {
            tokio::runtime::Builder::new_multi_thread()
        } else {
            tokio::runtime::Builder::new_current_thread()
        };
        let runtime = builder.enable_all().build().unwrap();
        let inside = runtime.block_on(connected(Options::default()));
        drop(inside);
        let outlives = runtime.block_on(connected(Options::default()));
        let call = call_outside(&runtime, &outlives.0);
        drop(runtime);
        drop(call);
        drop(outlives);
    }
}

fn call_outside(
    runtime: &tokio::runtime::Runtime,
    connection: &Connection,
) -> tokio::task::JoinHandle<support::CallOutcome> {
    let _context = runtime.enter();
    call(connection)
}

#[tokio::test(start_paused = true)]
async fn a_stateless_server_is_listened_to_and_again_when_it_ends_the_stream() {
    let capabilities = json!({ "tools": { "listChanged": true }, "prompts": { "listChanged": true }, "resources": {} });
    let (connection, mut events, mut peer) = stateless(Options::default(), capabilities).await;
    let mut pauses = Vec::new();
    for round in 0..4 {
        let start = Instant::now();
        let request = peer.expect("subscriptions/listen").await;
        pauses.push(start.elapsed().as_secs());
        let wanted = json!({ "toolsListChanged": true, "promptsListChanged": true });
        assert_eq!(request["params"]["notifications"], wanted);
        let tag = json!({ "_meta": { "io.modelcontextprotocol/subscriptionId": request["id"] } });
        peer.notify("notifications/subscriptions/acknowledged", tag.clone())
            .await;
        peer.notify("notifications/tools/list_changed", tag).await;
        assert!(matches!(events.recv().await, Some(Event::ToolsChanged)));
        let id = &request["id"];
        peer.message(match round {
            0 => json!({ "jsonrpc": "2.0", "id": id, "result": { "resultType": "complete" } }),
            1 => json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }),
            2 => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32603, "message": "x" } }),
            _ => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "no" } }),
        })
        .await;
    }
    assert_eq!(pauses, [0, 2, 4, 8]);
    peer.silent(Duration::from_secs(1000)).await;
    assert_eq!(connection.stats().unknown_notifications, 0);
}

#[tokio::test]
async fn secrets_are_masked_wherever_people_look_and_not_in_results() {
    let options = Options::default().mask(mcp_transport::Mask::new([
        "s3cret-value",
        "line \"one\"\nline two",
    ]));
    let (connection, mut events, mut peer) = connected(options).await;
    peer.line("token is s3cret-value").await;
    peer.notify(
        "notifications/message",
        json!({ "level": "info", "data": { "a": "s3cret-value", "b": "line \"one\"\nline two" } }),
    )
    .await;
    peer.line(r#"{"jsonrpc":"2.0","x":"s3cret-value"}"#).await;
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    let error =
        json!({ "code": 1, "message": "bad s3cret-value", "data": ["s3cret-value", "line two"] });
    peer.error(&request, error).await;
    let RequestError::Server { message, data, .. } = answer.await.unwrap().unwrap_err() else {
        panic!()
    };
    assert_eq!(message, "bad [SECRET]");
    assert_eq!(data.unwrap().get(), r#"["[SECRET]","[SECRET]"]"#);
    let logs = logs(&mut events);
    let shown: Vec<_> = logs.iter().map(|entry| entry.data.as_str()).collect();
    assert_eq!(shown[0], "token is [SECRET]");
    assert_eq!(shown[1], r#"{"a":"[SECRET]","b":"[SECRET]"}"#);
    assert!(shown[2].ends_with(r#"{"jsonrpc":"2.0","x":"[SECRET]"}"#));
    assert!(!connection.stats().reports[0].contains("s3cret"));
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    peer.result(&request, support::text("s3cret-value")).await;
    assert_eq!(support::text_of(answer.await.unwrap()), "s3cret-value");
}
