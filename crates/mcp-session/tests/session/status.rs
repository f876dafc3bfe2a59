//! What people are told: stages, kinds of failure, and every tool that was listed.

use std::sync::Arc;
use std::time::Duration;

use mcp_config::Exposure;
use mcp_session::{FailureKind, ServerState, ServerStatus, Session, Stage};

use crate::support::{Plan, Sandbox, until};

const ONE: &str = r#""files": {"command": "files"}"#;

fn status(session: &Session, server: &str) -> ServerStatus {
    let statuses = session.status();
    let found = statuses.into_iter().find(|status| status.server == server);
    found.unwrap_or_else(|| panic!("no server {server}"))
}

fn stages(status: &ServerStatus) -> Vec<Stage> {
    status.stages.iter().map(|time| time.stage).collect()
}

#[tokio::test(start_paused = true)]
async fn the_stages_of_an_attempt_are_told_as_they_come_and_stay_afterwards() {
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["a"]);
    let gate = Arc::default();
    sandbox.fleet.list_gate("files", Some(Arc::clone(&gate)));
    let session = sandbox.builder().initial_wait(Duration::ZERO).build();
    let mut changes = session.changes();
    session.begin_exchange().await.unwrap().finish();
    let listing = loop {
        let status = changes.next().await.unwrap();
        if stages(&status).contains(&Stage::List) {
            break status;
        }
    };
    assert_eq!(listing.state, ServerState::Connecting);
    assert_eq!(
        stages(&listing),
        [Stage::Resolve, Stage::Connect, Stage::List]
    );
    sandbox.fleet.list_gate("files", None);
    gate.notify_one();
    until(&session, "files", |status| {
        status.state == ServerState::Ready
    })
    .await;
    let ready = status(&session, "files");
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(status(&session, "files").stages, ready.stages, "they ended");
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn the_hosts_limit_ends_a_start_whatever_the_entry_says() {
    let entries = r#""silent": {"command": "x", "startTimeoutMs": 600000},
        "unlisted": {"command": "x"}, "quick": {"command": "x", "startTimeoutMs": 1000}"#;
    let sandbox = Sandbox::new(entries);
    sandbox.fleet.plan("silent", [Plan::Silent]);
    sandbox.fleet.plan("quick", [Plan::Silent]);
    sandbox.fleet.list_gate("unlisted", Some(Arc::default()));
    let session = sandbox
        .builder()
        .start_limit(Duration::from_secs(5))
        .build();
    session.begin_exchange().await.unwrap().finish();
    for (server, stage, seconds) in [
        ("silent", Stage::Connect, "5 s"),
        ("unlisted", Stage::List, "5 s"),
        ("quick", Stage::Connect, "1 s"),
    ] {
        let status = status(&session, server);
        assert_eq!(status.failure, Some(FailureKind::Timeout), "{status:?}");
        assert_eq!(stages(&status).last(), Some(&stage), "{server}");
        assert!(status.error.unwrap().contains(seconds), "{server}");
    }
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn an_entry_that_cannot_be_used_and_an_unset_variable_are_told_apart() {
    let entries = r#""empty": {}, "unset": {"command": "x", "env": {"A": "${NOT_SET}"}},
        "header": {"url": "http://x.invalid", "headers": {"Authorization": "Bearer ${E:-}"}},
        "failing": {"command": "x", "env": {"A": "!exit 3"}}, "host": {"command": "x"}"#;
    let sandbox = Sandbox::new(entries);
    sandbox.fleet.plan("host", [Plan::Fail("not today")]);
    // Time is paused and the command is real: it has all the time that it needs.
    let session = sandbox
        .builder()
        .initial_wait(Duration::from_hours(1))
        .build();
    session.begin_exchange().await.unwrap().finish();
    for (server, kind, stages_reached) in [
        ("empty", FailureKind::Entry, 0),
        ("unset", FailureKind::Variable, 1),
        ("header", FailureKind::Variable, 1),
        ("failing", FailureKind::ValueCommand, 1),
        ("host", FailureKind::Other, 2),
    ] {
        let status = status(&session, server);
        assert_eq!(status.failure, Some(kind), "{status:?}");
        assert_eq!(status.stages.len(), stages_reached, "{server}");
    }
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn every_listed_tool_is_told_with_its_exposure_and_the_rule_behind_it() {
    let entries = r#""files": {"command": "x", "toolExposure": {"debug_*": "hidden", "debug_ok": "direct"}},
        "quiet": {"command": "x", "exposure": "hidden"}"#;
    let sandbox = Sandbox::new(entries);
    sandbox
        .fleet
        .tools("files", &["read", "debug_dump", "debug_ok"])
        .tools("quiet", &["q"]);
    let session = sandbox.builder().wait_for_hidden(true).build();
    session.begin_exchange().await.unwrap().finish();
    let tools = session.tools();
    let told: Vec<_> = tools
        .iter()
        .map(|tool| (tool.raw_name(), tool.exposure(), tool.rule(), tool.name()))
        .collect();
    assert_eq!(
        told,
        [
            ("read", Exposure::Direct, None, Some("mcp__files__read")),
            ("debug_dump", Exposure::Hidden, Some("debug_*"), None),
            (
                "debug_ok",
                Exposure::Direct,
                Some("debug_ok"),
                Some("mcp__files__debug_ok")
            ),
            ("q", Exposure::Hidden, None, None),
        ]
    );
    session.close().await;
}
