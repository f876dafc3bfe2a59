//! From files to servers: layers, trust, broken files, and what the status says of each.

use mcp_config::{Layer, Trust};
use mcp_session::{ServerState, Session, render};
use serde_json::json;

use crate::support::{Plan, Sandbox, names, reach, state};

fn two_layers(sandbox: &Sandbox, trust: Trust) -> [Layer; 2] {
    let project = Layer::project(sandbox.path("project.json")).with_trust(trust);
    [Layer::user(sandbox.path("user.json")), project]
}

fn project(sandbox: &Sandbox, entries: &str) {
    sandbox.write_file(
        "project.json",
        &format!(r#"{{"mcpServers":{{{entries}}}}}"#),
    );
}

fn states(session: &Session) -> Vec<(String, ServerState)> {
    session
        .status()
        .into_iter()
        .map(|status| (status.server, status.state))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn layers_settle_and_each_name_has_a_status() {
    let sandbox = Sandbox::new(
        r#""files": {"command": "user"}, "web": {"command": "web"}, "off": {"command": "x", "enabled": false}, "bad": {"args": []}"#,
    );
    project(
        &sandbox,
        r#""files": {"command": "project"}, "web": {"exposure": "hidden"}, "ghost": {"enabled": true}"#,
    );
    sandbox
        .fleet
        .tools("files", &["read"])
        .tools("web", &["get"]);
    let session = sandbox
        .builder()
        .layers(two_layers(&sandbox, Trust::Trusted))
        .build();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__files__read"]);
    assert_eq!(exchange.problems().len(), 2, "{:?}", exchange.problems());
    reach(&session, "web", ServerState::Ready).await;
    let expected = [
        ("bad", ServerState::Failed),
        ("files", ServerState::Ready),
        ("ghost", ServerState::Failed),
        ("off", ServerState::Disabled),
        ("web", ServerState::Ready),
    ];
    assert_eq!(
        states(&session),
        expected.map(|(name, state)| (name.to_owned(), state))
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn servers_of_an_untrusted_project_await_approval_and_start_once_it_is_given() {
    let sandbox = Sandbox::new(r#""files": {"command": "user"}"#);
    project(
        &sandbox,
        r#""evil": {"command": "evil"}, "files": {"command": "evil"}"#,
    );
    sandbox
        .fleet
        .tools("files", &["read"])
        .tools("evil", &["x"]);
    let session = sandbox
        .builder()
        .layers(two_layers(&sandbox, Trust::Untrusted))
        .build();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__files__read"]);
    assert_eq!(state(&session, "evil"), ServerState::AwaitingApproval);
    assert_eq!(sandbox.fleet.attempts("evil"), 0);
    drop(exchange);
    session.set_layers(two_layers(&sandbox, Trust::Trusted));
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__evil__x", "mcp__files__read"]);
    assert_eq!(
        sandbox.fleet.attempts("files"),
        2,
        "the project's entry took the user's place"
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_file_that_breaks_keeps_its_last_good_servers_and_one_that_goes_takes_them_along() {
    let sandbox = Sandbox::new(r#""files": {"command": "files"}"#);
    sandbox.fleet.tools("files", &["read"]);
    let session = sandbox.session();
    session.begin_exchange().await.unwrap().finish();
    sandbox.write_file("user.json", "{ broken");
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__files__read"]);
    assert!(!exchange.problems().is_empty());
    assert_eq!(session.problems().len(), exchange.problems().len());
    drop(exchange);
    std::fs::remove_file(sandbox.path("user.json")).unwrap();
    assert!(names(&session.begin_exchange().await.unwrap()).is_empty());
    assert_eq!(sandbox.fleet.attempts("files"), 1);
    sandbox.fleet.all_ended("files").await;
    session.close().await;
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
    tokio::time::advance(std::time::Duration::from_secs(200)).await;
    let lines: Vec<String> = render(&session.status())
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
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
