//! How servers start, as processes: what they survive, and what a failed start says.

#![cfg(all(feature = "stdio", unix))]

mod stdio_support;

use std::time::Duration;

use mcp_transport::process::{ProcessSpec, base_environment};
use mcp_transport::{ConnectError, Connection, Era, Mask, Options, ServerLog};
use serde_json::{Value, json};
use stdio_support::{Fixture, alive, call, gone, quick, shell, text_of, within};

fn tool(name: &str) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object" } })
}

/// A server with a tool `work`, and rules.
fn server(rules: &Value) -> Value {
    json!({ "tools": [tool("work")], "calls": { "work": { "text": "done" } }, "rules": rules })
}

#[tokio::test]
async fn a_wall_of_errors_on_the_probe_does_not_stop_the_handshake() {
    // std-12
    let wall = json!({ "stderr": { "text": "unknown method server/discover\n", "times": 5000 } });
    let refusal = json!({ "error": { "code": -32601, "message": "unknown" } });
    for steps in [json!([wall, refusal]), json!([wall])] {
        let rules = json!([{ "when": "server/discover", "do": steps }]);
        let fixture = Fixture::new(server(&rules));
        let options = Options::default().probe_wait(Duration::from_millis(50));
        let (connection, _events) = fixture.connect(options).await.unwrap();
        assert_eq!(connection.server().era, Era::Initialize);
        assert_eq!(text_of(call(&connection, "work").await), "done");
        connection.close().await;
    }
}

#[tokio::test]
async fn a_server_that_exits_on_the_probe_is_started_again_without_it() {
    let rules = json!([{ "when": "server/discover", "do": [{ "stderr": "what is this?\n" }, { "exit": 1 }] }]);
    let fixture = Fixture::new(server(&rules));
    let (connection, _events) = fixture.connect(Options::default()).await.unwrap();
    assert_eq!(connection.server().era, Era::Initialize);
    assert_eq!(fixture.starts(), 2);
    assert_eq!(fixture.received()[..2], ["server/discover", "initialize"]);
    assert_eq!(text_of(call(&connection, "work").await), "done");
    // What was found out saves the probe, and the second process.
    let era = connection.server().era;
    connection.close().await;
    let fixture = Fixture::new(server(&rules));
    let (connection, _events) = fixture
        .connect(Options::default().era(Some(era)))
        .await
        .unwrap();
    assert_eq!(fixture.starts(), 1);
    connection.close().await;
}

#[tokio::test]
async fn a_refused_version_may_take_a_new_process() {
    // lif-28
    let refusal = json!({ "error": { "code": -32602, "message": "no", "data": { "supported": ["2025-06-18"] } } });
    let rules = json!([{ "when": "initialize", "start": 1, "do": [refusal, { "exit": 0 }] }]);
    let mut script = server(&rules);
    script["versions"] = json!(["2025-06-18"]);
    let fixture = Fixture::new(script);
    let options = Options::default().era(Some(Era::Initialize));
    let (connection, _events) = fixture.connect(options).await.unwrap();
    assert_eq!(connection.server().protocol_version.as_str(), "2025-06-18");
    assert_eq!(fixture.starts(), 2);
    connection.close().await;
}

#[tokio::test]
async fn a_failed_start_says_how_the_server_ended_and_what_it_wrote() {
    // std-24
    let cases = [
        (
            "echo 'missing module x' >&2; exit 1",
            "server exited (exit status: 1) before it answered initialize; stderr: missing module x",
        ),
        (
            "exit 0",
            "server exited (exit status: 0) before it answered initialize",
        ),
        (
            "kill -9 $$",
            "server exited (signal: 9 (SIGKILL)) before it answered initialize",
        ),
        (
            "echo 'no server here'; exit 2",
            "server exited (exit status: 2) before it answered initialize; \
             a line on stdout was no message: no server here",
        ),
    ];
    for (script, expected) in cases {
        let connecting = Connection::stdio(shell(script), Options::default());
        let error = within("failing", connecting).await.unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let connecting = Connection::stdio(shell("demo-tool"), Options::default());
    let error = within("failing", connecting).await.unwrap_err().to_string();
    assert!(
        error.contains("demo-tool: not found") && error.contains("PATH=/usr/bin:/bin"),
        "{error}"
    );
}

#[tokio::test]
async fn a_server_that_only_ends_its_output_is_told_from_one_that_exits() {
    let connecting = Connection::stdio(shell("exec 1>&-; exec sleep 60"), quick());
    let error = within("failing", connecting).await.unwrap_err();
    assert!(matches!(error, ConnectError::Closed { .. }), "{error}");
}

#[tokio::test]
async fn a_command_that_cannot_be_started_says_why() {
    let missing = |command: &str, cwd: &str| ProcessSpec::new(command, cwd).env([("PATH", "/bin")]);
    let cases = [
        (
            missing("no-such-command", "/"),
            "command \"no-such-command\" was not found",
        ),
        (
            missing("/etc/hostname", "/"),
            "command \"/etc/hostname\" cannot be run",
        ),
        (
            missing("sh", "/no/such/directory"),
            "the working directory /no/such/directory does not exist",
        ),
    ];
    for (spec, expected) in cases {
        let error = Connection::stdio(spec, Options::default())
            .await
            .unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_never_answers_is_ended_and_its_words_are_shown() {
    // lif-29, std-16
    let options = quick()
        .start_timeout(Duration::from_millis(300))
        .probe_wait(Duration::from_millis(50));
    let spec = shell(
        "echo 'Welcome'; echo 'waiting for a license' >&2; trap '' TERM; while :; do sleep 1; done",
    );
    let error = within("failing", Connection::stdio(spec, options))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "server did not answer within 0.3 s, before it answered initialize \
         (a line on stdout was no message: Welcome); stderr: waiting for a license"
    );
}

#[tokio::test]
async fn a_start_that_is_given_up_leaves_no_process() {
    // std-16
    let mut script = server(&json!([
        { "when": "server/discover", "do": [] }, { "when": "initialize", "do": [] },
        { "when": "eof", "do": [] }, { "when": "SIGTERM", "do": [] },
    ]));
    script["journal"] = json!(["pid"]);
    let fixture = Fixture::new(script);
    let pid = {
        let connecting = fixture.connect(Options::default());
        tokio::pin!(connecting);
        tokio::select! {
            _ = &mut connecting => unreachable!("the server is silent"),
            pid = fixture.pid() => pid,
        }
    };
    gone(pid).await;
}

#[tokio::test]
async fn the_base_environment_and_the_entrys_own_reach_the_server() {
    // std-26
    let text = json!({ "text": { "@env": "HOME" } });
    let names = json!({ "text": { "@text": { "@envNames": true } } });
    let script = json!({ "tools": [tool("home"), tool("names")], "calls": { "home": text, "names": names } });
    let fixture = Fixture::new(script);
    let host = [
        ("HOME", "/home/demo"),
        ("PATH", "/bin"),
        ("LC_ALL", "C"),
        ("SSH_AUTH_SOCK", "/x"),
        ("AWS_SECRET", "x"),
    ];
    let spec = fixture
        .spec()
        .env(base_environment(host))
        .env([("TOKEN", "abc")]);
    let (connection, _events) = within("connecting", Connection::stdio(spec, Options::default()))
        .await
        .unwrap();
    assert_eq!(text_of(call(&connection, "home").await), "/home/demo");
    assert_eq!(
        text_of(call(&connection, "names").await),
        r#"["HOME","LC_ALL","PATH","TOKEN"]"#
    );
    connection.close().await;
}

#[tokio::test]
async fn what_a_failed_start_wrote_is_kept_in_the_server_log_and_masked() {
    let home = tempfile::TempDir::new().unwrap();
    let log = ServerLog::new(home.path());
    let options = Options::default()
        .server_name("broken")
        .mask(Mask::new(["hunter22"]))
        .server_log(log);
    let spec = shell("echo 'password hunter22 refused' >&2; echo 'not a message'; exit 3");
    let error = within("failing", Connection::stdio(spec, options))
        .await
        .unwrap_err();
    assert_eq!(error.stderr_tail(), Some("password [SECRET] refused"));
    let text = std::fs::read_to_string(home.path().join("mcp.log")).unwrap();
    assert!(
        text.contains("\tbroken\tinfo\t-\tpassword [SECRET] refused\n"),
        "{text}"
    );
    assert!(
        text.contains("\tbroken\tinfo\t-\tnot a message\n"),
        "{text}"
    );
    assert!(!text.contains("hunter22"));
}

#[tokio::test]
async fn the_process_is_known_by_its_id() {
    let fixture = Fixture::new(server(&json!([])));
    let (connection, _events) = fixture.connect(Options::default()).await.unwrap();
    let pid = connection.process_id().unwrap();
    assert!(alive(pid));
    drop(connection);
    gone(pid).await;
}
