//! Where each server stands: values, their rendering for a terminal, and the stream of changes.

use std::time::Duration;

use mcp_session::{ServerState, ServerStatus, Session, render};
use serde_json::json;

use crate::support::{Plan, Sandbox, reach, until};

const ONE: &str = r#""files": {"command": "files"}"#;

fn only(session: &Session) -> ServerStatus {
    let mut all = session.status();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[tokio::test(start_paused = true)]
async fn a_status_is_made_for_people_and_for_artifacts() {
    let sandbox = Sandbox::new(
        r#""files": {"command": "files"}, "failing": {"command": "f"}, "off": {"command": "x", "disabled": true}"#,
    );
    sandbox
        .fleet
        .tools("files", &["read"])
        .plan("failing", [Plan::Fail("no luck\u{1b}[2J")]);
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    assert_eq!(
        serde_json::to_value(session.status()).unwrap(),
        json!([
            {"server": "failing", "state": "failed", "tools": 0, "error": "no luck\u{1b}[2J", "restarts": 0, "listings": 0},
            {"server": "files", "state": "ready", "era": "initialize", "version": "2025-11-25", "implementation": "scripted 1",
             "tools": 1, "restarts": 0, "listings": 1},
            {"server": "off", "state": "disabled", "tools": 0, "restarts": 0, "listings": 0},
        ])
    );
    tokio::time::advance(Duration::from_secs(200)).await;
    let text = render(&session.status());
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().all(|line| !line.ends_with(' ')), "{lines:?}");
    assert_eq!(lines[0], "failing  failed             for 3 min");
    assert!(
        lines[1].starts_with("         no luck") && !lines[1].contains('\u{1b}'),
        "{lines:?}"
    );
    assert_eq!(
        lines[2],
        "files    ready              1 tool, 2025-11-25, for 3 min"
    );
    assert_eq!(lines[3], "off      disabled");
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn changes_are_told_as_they_happen() {
    let sandbox = Sandbox::new(r#""files": {"command": "files"}"#);
    sandbox.fleet.tools("files", &["read"]);
    let session = sandbox.session();
    let mut changes = session.changes();
    session.begin_exchange().await.unwrap().finish();
    reach(&session, "files", ServerState::Ready).await;
    sandbox.fleet.crash("files");
    let mut seen = Vec::new();
    while let Some(status) = changes.next().await {
        if seen.last() != Some(&status.state) {
            seen.push(status.state);
        }
        if status.state == ServerState::Dropped {
            assert!(status.error.is_some_and(|error| !error.is_empty()));
            break;
        }
    }
    assert_eq!(seen.last(), Some(&ServerState::Dropped));
    session.close().await;
    while let Some(status) = changes.next().await {
        seen.push(status.state);
    }
    assert_eq!(seen.last(), Some(&ServerState::Stopped));
}

#[tokio::test(start_paused = true)]
async fn a_status_counts_reconnects_and_says_since_when_and_why() {
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["read"]);
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    assert_eq!(only(&session).elapsed, Duration::ZERO);
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(only(&session).elapsed, Duration::from_secs(5));
    for restarts in 1..=2 {
        sandbox.fleet.crash("files");
        reach(&session, "files", ServerState::Dropped).await;
        let dropped = only(&session);
        assert_eq!(
            (dropped.tools, dropped.restarts, dropped.elapsed),
            (1, restarts - 1, Duration::ZERO),
            "a dropped server keeps its tools"
        );
        assert!(dropped.error.is_some_and(|error| !error.is_empty()));
        session.begin_exchange().await.unwrap().finish();
        reach(&session, "files", ServerState::Ready).await;
        let ready = only(&session);
        assert_eq!((ready.restarts, ready.error), (restarts, None));
    }
    let line = render(&session.status());
    assert!(line.contains("reconnected 2 times"), "{line}");
    session.close().await;
    assert_eq!(
        only(&session).state,
        ServerState::Stopped,
        "a closed session still tells how its servers stand"
    );
}

#[tokio::test(start_paused = true)]
async fn notes_tell_what_became_of_lists_schemas_and_names() {
    let sandbox = Sandbox::new(
        r#""files": {"command": "files", "toolExposure": {"secret*": "hidden", "none": "hidden"}}"#,
    );
    let object = json!({"type": "object"});
    let broken = json!({"type": "object", "properties": {"s": {"type": "string", "pattern": "("}}});
    sandbox.fleet.raw_tools(
        "files",
        vec![
            json!({"name": "read_file", "inputSchema": object}),
            json!({"name": "read file", "inputSchema": object}),
            json!({"name": "secret file", "inputSchema": object}),
            json!({"name": "secret_file", "inputSchema": object}),
            json!({"name": "list", "inputSchema": {"type": "array"}}),
            json!({"name": "match", "inputSchema": broken}),
            json!({"name": "match", "inputSchema": object}),
        ],
    );
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let call = exchange.call("mcp__files__match", r#"{"s": "x"}"#).await;
    assert!(!call.is_error, "{}", call.text());
    let notes = only(&session).notes;
    for part in [
        "tools[6]",
        "tool \"match\": inputSchema: ",
        "tool \"list\" is withheld: ",
        "tool \"read file\" is shown as mcp__files__read_file_",
        "\"none\" means none of the server's tools",
    ] {
        let found = notes.iter().filter(|note| note.contains(part)).count();
        assert_eq!(found, 1, "{part} in {notes:#?}");
    }
    assert_eq!(notes.len(), 5, "{notes:#?}");
    let lines = render(&session.status());
    assert_eq!(lines.matches("\n       note: ").count(), 5, "{lines}");
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_goes_is_told_until_it_is_gone() {
    let sandbox = Sandbox::new(r#""files": {"command": "files"}, "keep": {"command": "k"}"#);
    sandbox
        .fleet
        .tools("files", &["read"])
        .tools("keep", &["x"]);
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    sandbox.write(r#""keep": {"command": "k"}"#);
    let mut changes = session.changes();
    session.begin_exchange().await.unwrap().finish();
    while let Some(status) = changes.next().await {
        if status.server == "files" && status.state == ServerState::Stopped {
            break;
        }
    }
    let left: Vec<String> = session
        .status()
        .into_iter()
        .map(|status| status.server)
        .collect();
    assert_eq!(left, ["keep"]);
    until(&session, "keep", |status| {
        status.state == ServerState::Ready
    })
    .await;
    session.close().await;
}
