//! From files to servers: layers, trust, broken files.

use mcp_config::{Layer, Trust};
use mcp_session::{ServerState, Session};

use crate::support::{Sandbox, names, reach, state};

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
