//! Lists that change: when they are taken again, and what of it an exchange sees.

use std::sync::Arc;
use std::time::Duration;

use mcp_session::ServerState;
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use crate::support::{Sandbox, names, reach, state, until};

const ONE: &str = r#""files": {"command": "files"}"#;

#[tokio::test(start_paused = true)]
async fn a_burst_of_notifications_makes_one_refresh_and_one_follow_up() {
    // lif-01
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["a"]);
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    assert_eq!(sandbox.fleet.listings("files"), 1);
    let gate = Arc::new(Notify::new());
    sandbox.fleet.list_gate("files", Some(Arc::clone(&gate)));
    sandbox.fleet.tools("files", &["a", "b"]);
    for _ in 0..200 {
        sandbox.fleet.list_changed("files");
    }
    // Time for the burst to arrive, and for anything else that might be sent.
    sleep(Duration::from_secs(5)).await;
    assert_eq!(sandbox.fleet.listings("files"), 2, "one is running");
    sandbox.fleet.list_gate("files", None);
    gate.notify_one();
    sleep(Duration::from_secs(5)).await;
    assert!(
        sandbox.fleet.listings("files") <= 3,
        "{}",
        sandbox.fleet.listings("files")
    );
    assert_eq!(
        names(&session.begin_exchange().await.unwrap()),
        ["mcp__files__a", "mcp__files__b"]
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_refresh_delays_neither_calls_nor_closing() {
    // lif-02
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["a"]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    sandbox.fleet.list_gate("files", Some(Arc::default()));
    sandbox.fleet.list_changed("files");
    while sandbox.fleet.listings("files") < 2 {
        tokio::task::yield_now().await;
    }
    let start = Instant::now();
    assert!(!exchange.call("mcp__files__a", "{}").await.is_error);
    drop(exchange);
    session.begin_exchange().await.unwrap().finish();
    session.close().await;
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_notifies_after_each_listing_is_left_in_peace_and_can_be_switched_off() {
    // lif-03
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["a"]).restless("files");
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    sleep(Duration::from_mins(10)).await;
    let listings = sandbox.fleet.listings("files");
    assert!(listings <= 5, "{listings} listings");
    sandbox.write(r#""files": {"command": "files", "enabled": false}"#);
    session.begin_exchange().await.unwrap().finish();
    assert_eq!(state(&session, "files"), ServerState::Disabled);
    sandbox.fleet.all_ended("files").await;
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_change_announced_too_early_is_seen_by_the_exchange_after_the_next() {
    // lif-04: the list after the notification is still the old one, and no further notification
    // comes.
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["a"]);
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    sandbox.fleet.list_changed("files");
    until(&session, "files", |status| status.listings == 2).await;
    sandbox.fleet.tools("files", &["b"]);
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__files__a"], "nothing is waited for");
    until(&session, "files", |status| status.listings == 3).await;
    assert_eq!(
        names(&exchange),
        ["mcp__files__a"],
        "the exchange is frozen"
    );
    drop(exchange);
    assert_eq!(
        names(&session.begin_exchange().await.unwrap()),
        ["mcp__files__b"]
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_reconnect_during_a_refresh_keeps_the_newest_listing() {
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["old"]);
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    let gate = Arc::new(Notify::new());
    sandbox.fleet.list_gate("files", Some(Arc::clone(&gate)));
    sandbox.fleet.list_changed("files");
    while sandbox.fleet.listings("files") < 2 {
        tokio::task::yield_now().await;
    }
    // The refresh holds the old list; the new connection lists the new one.
    sandbox.fleet.list_gate("files", None);
    sandbox.fleet.tools("files", &["new"]);
    session.refresh("files").unwrap();
    until(&session, "files", |status| {
        status.restarts == 1 && status.state == ServerState::Ready
    })
    .await;
    gate.notify_one();
    sleep(Duration::from_secs(1)).await;
    assert_eq!(
        names(&session.begin_exchange().await.unwrap()),
        ["mcp__files__new"]
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_refresh_that_fails_keeps_the_last_list_and_the_server() {
    let sandbox = Sandbox::new(r#""files": {"command": "files", "requestTimeoutMs": 1000}"#);
    sandbox.fleet.tools("files", &["a"]);
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    sandbox.fleet.list_gate("files", Some(Arc::default()));
    sandbox.fleet.list_changed("files");
    sleep(Duration::from_secs(3)).await;
    reach(&session, "files", ServerState::Ready).await;
    let exchange = session.begin_exchange().await.unwrap();
    assert!(!exchange.call("mcp__files__a", "{}").await.is_error);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn bad_items_of_a_list_cost_only_themselves_and_are_told() {
    let sandbox =
        Sandbox::new(r#""files": {"command": "files", "toolExposure": {"reed*": "hidden"}}"#);
    sandbox.fleet.raw_tools(
        "files",
        vec![
            json!({"name": "a", "inputSchema": {"type": "object"}}),
            json!({"name": "a", "inputSchema": {"type": "object"}, "description": "again"}),
            json!({"name": "list", "inputSchema": {"type": "array"}}),
            json!({"inputSchema": {}}),
            json!(7),
        ],
    );
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__files__a"]);
    let problems: Vec<String> = exchange
        .problems()
        .iter()
        .map(ToString::to_string)
        .collect();
    let all = problems.join("\n");
    assert_eq!(problems.len(), 5, "{all}");
    for part in [
        "server \"files\": tools[1]",
        "withheld",
        "tools[3]",
        "tools[4]",
        "\"reed*\"",
    ] {
        assert!(all.contains(part), "{part} in {all}");
    }
    assert!(
        exchange
            .problems()
            .iter()
            .all(|problem| problem.server() == Some("files"))
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn an_idle_server_is_asked_nothing() {
    // lif-35: a listing is no sign of life, and takes long where there are many tools.
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["a"]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let received = sandbox.fleet.received("files");
    sleep(Duration::from_hours(24)).await;
    assert_eq!(sandbox.fleet.received("files"), received);
    assert!(!exchange.call("mcp__files__a", "{}").await.is_error);
    assert_eq!(sandbox.fleet.attempts("files"), 1);
    drop(exchange);
    session.close().await;
}
