//! Servers that start, fail, hang, drop, come back, change and go.

use std::sync::Arc;
use std::time::Duration;

use crate::support::sandbox::environment;
use crate::support::{Plan, Sandbox, names, reach, state, until};
use mcp_session::{CallFailure, ServerState, Shutdown};
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

const ONE: &str = r#""files": {"command": "files"}"#;

#[tokio::test(start_paused = true)]
async fn a_crash_fails_the_call_with_its_reason_and_the_next_call_reconnects_in_the_same_exchange()
{
    // lif-32
    let sandbox = Sandbox::new(ONE);
    sandbox
        .fleet
        .tools("files", &["read", "crash"])
        .answer("files", "crash", json!("crash"));
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let start = Instant::now();
    let result = exchange.call("mcp__files__crash", "{}").await;
    assert_eq!(result.failure, Some(CallFailure::Lost));
    assert!(
        result.text().contains("outcome of the request is unknown"),
        "{}",
        result.text()
    );
    assert!(start.elapsed() < Duration::from_secs(1));
    let result = exchange.call("mcp__files__read", "{}").await;
    assert!(!result.is_error, "{}", result.text());
    let calls: Vec<_> = sandbox
        .fleet
        .calls("files")
        .into_iter()
        .map(|(connection, tool, _)| (connection, tool))
        .collect();
    assert_eq!(
        calls,
        [(1, "crash".to_owned()), (2, "read".to_owned())],
        "no call ran twice"
    );
    assert_eq!(session.status()[0].restarts, 1);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn calls_on_a_dropped_connection_share_one_attempt() {
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["read"]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    sandbox.fleet.crash("files");
    reach(&session, "files", ServerState::Dropped).await;
    assert_eq!(names(&exchange), ["mcp__files__read"]);
    let call = || exchange.call("mcp__files__read", "{}");
    let (a, b, c) = tokio::join!(call(), call(), call());
    assert!(!a.is_error && !b.is_error && !c.is_error);
    assert_eq!(sandbox.fleet.attempts("files"), 2);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_dropped_server_keeps_its_tools_and_comes_back_in_the_background() {
    // lif-36
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["read"]);
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    sandbox.fleet.crash("files");
    reach(&session, "files", ServerState::Dropped).await;
    sandbox.fleet.plan("files", [Plan::Silent]);
    let start = Instant::now();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(
        start.elapsed(),
        Duration::ZERO,
        "nobody waits for a reconnect"
    );
    assert_eq!(names(&exchange), ["mcp__files__read"]);
    reach(&session, "files", ServerState::Connecting).await;
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_fails_at_first_is_tried_again_by_the_next_exchange_and_never_waited_for() {
    // lif-37
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["read"]);
    let gate = Arc::new(Notify::new());
    sandbox.fleet.plan(
        "files",
        [
            Plan::Fail("no luck"),
            Plan::Fail("still none"),
            Plan::Gate(Arc::clone(&gate)),
        ],
    );
    let session = sandbox.session();
    for (attempts, error) in [(1, "no luck"), (2, "still none")] {
        let exchange = session.begin_exchange().await.unwrap();
        until(&session, "files", |status| {
            status.error.as_deref() == Some(error)
        })
        .await;
        assert!(names(&exchange).is_empty());
        assert_eq!(
            (sandbox.fleet.attempts("files"), state(&session, "files")),
            (attempts, ServerState::Failed)
        );
    }
    let exchange = session.begin_exchange().await.unwrap();
    assert!(
        names(&exchange).is_empty(),
        "the third attempt is not waited for"
    );
    drop(exchange);
    gate.notify_one();
    reach(&session, "files", ServerState::Ready).await;
    assert_eq!(
        names(&session.begin_exchange().await.unwrap()),
        ["mcp__files__read"]
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_hung_server_holds_the_first_exchange_ten_seconds_and_no_later_one() {
    // lif-29
    let sandbox = Sandbox::new(r#""hung": {"command": "h"}, "good": {"command": "g"}"#);
    sandbox
        .fleet
        .tools("good", &["a"])
        .plan("hung", [Plan::Silent, Plan::Silent]);
    let session = sandbox.session();
    let start = Instant::now();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_secs(10));
    assert_eq!(names(&exchange), ["mcp__good__a"]);
    assert_eq!(
        state(&session, "hung"),
        ServerState::Connecting,
        "the wait kills nothing"
    );
    drop(exchange);
    let start = Instant::now();
    session.begin_exchange().await.unwrap().finish();
    assert_eq!(start.elapsed(), Duration::ZERO);
    reach(&session, "hung", ServerState::Failed).await;
    assert_eq!(start.elapsed(), Duration::from_secs(20), "30 s to start");
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_server_joins_at_a_later_exchange() {
    let sandbox = Sandbox::new(ONE);
    let gate = Arc::new(Notify::new());
    sandbox
        .fleet
        .tools("files", &["read"])
        .plan("files", [Plan::Gate(Arc::clone(&gate))]);
    let session = sandbox
        .builder()
        .initial_wait(Duration::from_millis(50))
        .build();
    let exchange = session.begin_exchange().await.unwrap();
    gate.notify_one();
    reach(&session, "files", ServerState::Ready).await;
    assert!(names(&exchange).is_empty(), "the exchange is frozen");
    drop(exchange);
    assert_eq!(
        names(&session.begin_exchange().await.unwrap()),
        ["mcp__files__read"]
    );
    assert_eq!(sandbox.fleet.attempts("files"), 1);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn hidden_servers_connect_and_are_not_waited_for() {
    let sandbox = Sandbox::new(r#""files": {"command": "files", "exposure": "hidden"}"#);
    sandbox
        .fleet
        .tools("files", &["read"])
        .plan("files", [Plan::Silent]);
    let session = sandbox.session();
    let start = Instant::now();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert!(names(&exchange).is_empty());
    assert_eq!(state(&session, "files"), ServerState::Connecting);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn only_changed_connection_settings_start_a_server_anew() {
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["read", "write"]);
    let session = sandbox.session();
    for (entry, shown, attempts) in [
        (r#"{"command": "files"}"#, 2, 1),
        (
            r#"{"command": "files", "toolExposure": {"write": "hidden"}}"#,
            1,
            1,
        ),
        (r#"{"command": "files", "requestTimeoutMs": 5}"#, 2, 1),
        (r#"{"command": "files", "args": ["-v"]}"#, 2, 2),
        (
            r#"{"command": "files", "args": ["-v"], "env": {"A": "1"}}"#,
            2,
            3,
        ),
        (
            r#"{"command": "files", "args": ["-v"], "env": {"A": "1"}}"#,
            2,
            3,
        ),
    ] {
        sandbox.write(&format!(r#""files": {entry}"#));
        let exchange = session.begin_exchange().await.unwrap();
        assert_eq!(
            (names(&exchange).len(), sandbox.fleet.attempts("files")),
            (shown, attempts),
            "{entry}"
        );
    }
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_rotated_secret_starts_its_server_anew_and_another_variable_does_not() {
    let sandbox = Sandbox::new(r#""files": {"command": "files", "env": {"TOKEN": "${TOKEN}"}}"#);
    sandbox.fleet.tools("files", &["read"]);
    let session = sandbox
        .builder()
        .environment(environment(&[("TOKEN", "one-secret")]))
        .build();
    session.begin_exchange().await.unwrap().finish();
    session.set_environment(environment(&[("TOKEN", "one-secret"), ("OTHER", "1")]));
    session.begin_exchange().await.unwrap().finish();
    assert_eq!(sandbox.fleet.attempts("files"), 1);
    session.set_environment(environment(&[("TOKEN", "two-secret")]));
    session.begin_exchange().await.unwrap().finish();
    assert_eq!(sandbox.fleet.attempts("files"), 2);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn an_unset_variable_fails_its_server_alone_and_does_not_block_later_tries() {
    let sandbox = Sandbox::new(
        r#""files": {"command": "files", "env": {"T": "${TOKEN}"}}, "good": {"command": "g"}"#,
    );
    sandbox
        .fleet
        .tools("files", &["read"])
        .tools("good", &["a"]);
    let session = sandbox.session();
    let start = Instant::now();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(start.elapsed(), Duration::ZERO, "a failure ends the wait");
    assert_eq!(names(&exchange), ["mcp__good__a"]);
    drop(exchange);
    let status = &session.status()[0];
    assert_eq!(status.state, ServerState::Failed);
    assert!(
        status.error.as_deref().unwrap().contains("TOKEN"),
        "{status:?}"
    );
    session.set_environment(environment(&[("TOKEN", "t")]));
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__files__read", "mcp__good__a"]);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn removed_and_disabled_servers_stop_in_the_background() {
    let sandbox =
        Sandbox::new(r#""a": {"command": "a"}, "b": {"command": "b"}, "c": {"command": "c"}"#);
    for server in ["a", "b", "c"] {
        sandbox.fleet.tools(server, &["x"]);
    }
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    sandbox.write(r#""b": {"command": "b", "enabled": false}, "c": {"command": "c"}"#);
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__c__x"]);
    sandbox.fleet.all_ended("a").await;
    sandbox.fleet.all_ended("b").await;
    assert_eq!(state(&session, "b"), ServerState::Disabled);
    let text = exchange.call("mcp__a__x", "{}").await.text();
    assert!(text.contains("not configured any more"), "{text}");
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_runs_while_its_server_is_replaced_may_finish() {
    let sandbox = Sandbox::new(r#""files": {"command": "files", "requestTimeoutMs": 5000}"#);
    sandbox
        .fleet
        .tools("files", &["hang", "read"])
        .answer("files", "hang", json!("silence"));
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let hanging = exchange.call("mcp__files__hang", "{}");
    tokio::pin!(hanging);
    assert!(
        timeout(Duration::from_millis(1), &mut hanging)
            .await
            .is_err()
    );
    session.refresh("files").unwrap();
    until(&session, "files", |status| {
        status.restarts == 1 && status.state == ServerState::Ready
    })
    .await;
    assert!(!exchange.call("mcp__files__read", "{}").await.is_error);
    assert_eq!(
        sandbox.fleet.open_connections("files"),
        2,
        "the old connection still has its call"
    );
    assert_eq!(hanging.await.failure, Some(CallFailure::TimedOut));
    sandbox.fleet.ended("files", 0).await;
    assert_eq!(sandbox.fleet.open_connections("files"), 1);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn closing_interrupts_attempts_and_calls_and_tells_how_each_server_ended() {
    let sandbox =
        Sandbox::new(r#""a": {"command": "a"}, "hung": {"command": "h", "exposure": "hidden"}"#);
    sandbox
        .fleet
        .tools("a", &["hang"])
        .answer("a", "hang", json!("silence"))
        .plan("hung", [Plan::Silent]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let start = Instant::now();
    let (result, report) = tokio::join!(exchange.call("mcp__a__hang", "{}"), async {
        until_called(&sandbox).await;
        session.close().await
    });
    assert_eq!(
        result.failure,
        Some(CallFailure::Closed),
        "{}",
        result.text()
    );
    let ends: Vec<_> = report
        .servers
        .iter()
        .map(|server| (server.server.as_str(), server.shutdown))
        .collect();
    assert_eq!(
        ends,
        [("a", Shutdown::Closed), ("hung", Shutdown::NotConnected)]
    );
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(
        session.close().await,
        report,
        "closing again tells the same"
    );
    sandbox.fleet.all_ended("a").await;
    sandbox.fleet.all_ended("hung").await;
    assert_eq!(
        exchange.call("mcp__a__hang", "{}").await.failure,
        Some(CallFailure::Closed)
    );
    assert!(session.changes().next().await.is_none());
}

async fn until_called(sandbox: &Sandbox) {
    while sandbox.fleet.calls("a").is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_the_last_handle_ends_the_connections() {
    let sandbox =
        Sandbox::new(r#""a": {"command": "a"}, "hung": {"command": "h", "exposure": "hidden"}"#);
    sandbox
        .fleet
        .tools("a", &["x"])
        .plan("hung", [Plan::Silent]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    drop(session);
    assert!(
        !exchange.call("mcp__a__x", "{}").await.is_error,
        "an exchange keeps its session"
    );
    drop(exchange);
    sandbox.fleet.all_ended("a").await;
    sandbox.fleet.all_ended("hung").await;
}

#[test]
fn a_session_may_be_dropped_outside_a_runtime() {
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["read"]);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let session = sandbox.session();
    let exchange = runtime.block_on(session.begin_exchange()).unwrap();
    drop(runtime);
    drop(exchange);
    drop(session);
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_ends_right_after_its_handshake_is_a_failure_with_a_reason() {
    let sandbox = Sandbox::new(ONE);
    sandbox
        .fleet
        .tools("files", &["read"])
        .plan("files", [Plan::EndAfterHandshake]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let status = &session.status()[0];
    assert_eq!(status.state, ServerState::Failed);
    assert!(!status.error.as_deref().unwrap().is_empty());
    drop(exchange);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_after_a_failed_reconnect_says_why_at_once() {
    let sandbox = Sandbox::new(ONE);
    sandbox
        .fleet
        .tools("files", &["read"])
        .plan("files", [Plan::Answer, Plan::Fail("the disk is gone")]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    sandbox.fleet.crash("files");
    reach(&session, "files", ServerState::Dropped).await;
    for _ in 0..2 {
        let result = exchange.call("mcp__files__read", "{}").await;
        assert_eq!(result.failure, Some(CallFailure::Unavailable));
        assert!(
            result.text().contains("the disk is gone"),
            "{}",
            result.text()
        );
    }
    assert_eq!(
        sandbox.fleet.attempts("files"),
        2,
        "the next exchange tries again, not each call"
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_connector_that_panics_costs_one_exchange_and_holds_nothing_up() {
    let sandbox = Sandbox::new(r#""files": {"command": "files"}, "good": {"command": "g"}"#);
    sandbox
        .fleet
        .tools("files", &["read"])
        .tools("good", &["x"])
        .plan("files", [Plan::Panic]);
    let session = sandbox.session();
    let start = Instant::now();
    assert_eq!(
        names(&session.begin_exchange().await.unwrap()),
        ["mcp__good__x"]
    );
    assert_eq!(start.elapsed(), Duration::ZERO);
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__files__read", "mcp__good__x"]);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_beginning_that_is_dropped_leaves_its_servers_connecting() {
    let sandbox = Sandbox::new(ONE);
    let gate = Arc::new(Notify::new());
    sandbox
        .fleet
        .tools("files", &["read"])
        .plan("files", [Plan::Gate(Arc::clone(&gate))]);
    let session = sandbox.session();
    let begun = timeout(Duration::from_millis(1), session.begin_exchange()).await;
    assert!(begun.is_err());
    assert_eq!(state(&session, "files"), ServerState::Connecting);
    gate.notify_one();
    reach(&session, "files", ServerState::Ready).await;
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__files__read"]);
    assert_eq!(sandbox.fleet.attempts("files"), 1);
    drop(exchange);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_future_is_dropped_is_cancelled_on_its_server() {
    let sandbox = Sandbox::new(ONE);
    sandbox
        .fleet
        .tools("files", &["hang", "read"])
        .answer("files", "hang", json!("silence"));
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let call = exchange.call("mcp__files__hang", "{}");
    assert!(timeout(Duration::from_secs(1), call).await.is_err());
    while sandbox.fleet.cancelled("files") < 1 {
        tokio::task::yield_now().await;
    }
    assert!(!exchange.call("mcp__files__read", "{}").await.is_error);
    drop(exchange);
    session.close().await;
}

#[cfg(feature = "http")]
#[tokio::test(start_paused = true)]
async fn start_ups_to_one_url_follow_each_other() {
    let sandbox = Sandbox::new(
        r#""a": {"url": "http://one.invalid/mcp"}, "b": {"url": "http://one.invalid/mcp"}, "c": {"url": "http://other.invalid/mcp"}"#,
    );
    let gate = Arc::new(Notify::new());
    for server in ["a", "b", "c"] {
        sandbox.fleet.tools(server, &["x"]);
    }
    for server in ["a", "b"] {
        sandbox.fleet.plan(server, [Plan::Gate(Arc::clone(&gate))]);
    }
    let session = sandbox
        .builder()
        .initial_wait(Duration::from_secs(1))
        .build();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(
        names(&exchange),
        ["mcp__c__x"],
        "another URL waits for nobody"
    );
    drop(exchange);
    let attempts = || ["a", "b"].map(|server| sandbox.fleet.attempts(server));
    assert_eq!(attempts().iter().sum::<usize>(), 1);
    gate.notify_one();
    while attempts().iter().sum::<usize>() < 2 {
        tokio::task::yield_now().await;
    }
    gate.notify_one();
    reach(&session, "a", ServerState::Ready).await;
    reach(&session, "b", ServerState::Ready).await;
    session.close().await;
}
