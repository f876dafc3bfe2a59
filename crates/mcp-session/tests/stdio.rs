//! A session over a real process.
#![cfg(feature = "stdio")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use mcp_config::{Environment, Layer};
use mcp_session::{CallFailure, ServerState, Session, Shutdown, render};

/// A server in shell: `echo` answers, `crash` ends the process, `environment` tells a variable.
const SERVER: &str = r#"
echo "a line of noise"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"shell","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"echo","inputSchema":{"type":"object"}},{"name":"crash","inputSchema":{"type":"object"}},{"name":"environment","inputSchema":{"type":"object"}}]}' ;;
    *'"name":"crash"'*) echo "fatal: $TOKEN" >&2; exit 7 ;;
    *'"name":"environment"'*) result="{\"content\":[{\"type\":\"text\",\"text\":\"$TOKEN $HOST_ONLY\"}]}" ;;
    *'"tools/call"'*) result='{"content":[{"type":"text","text":"echo"}]}' ;;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id"; continue ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

fn session(folder: &std::path::Path, entry: &str) -> Session {
    let file = folder.join("mcp.json");
    std::fs::write(&file, format!(r#"{{"mcpServers": {{"shell": {entry}}}}}"#)).unwrap();
    std::fs::write(folder.join("server.sh"), SERVER).unwrap();
    let variables = [
        ("PATH", "/usr/bin:/bin"),
        ("SECRET_TOKEN", "hunter22"),
        ("HOST_ONLY", "hidden"),
    ];
    Session::builder()
        .layers([Layer::user(file)])
        .home(folder)
        .base(folder)
        .environment(variables.into_iter().collect::<Environment>())
        .build()
}

const ENTRY: &str =
    r#"{"command": "sh", "args": ["server.sh"], "env": {"TOKEN": "$SECRET_TOKEN"}}"#;

#[tokio::test]
async fn a_process_is_started_called_brought_back_after_a_crash_and_closed() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), ENTRY);
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(exchange.tools().len(), 3, "{:?}", session.status());
    assert_eq!(exchange.call("mcp__shell__echo", "{}").await.text(), "echo");
    // The model sees results as sent, and of the host's variables the server has its own alone.
    assert_eq!(
        exchange.call("mcp__shell__environment", "{}").await.text(),
        "hunter22 "
    );

    let crashed = exchange.call("mcp__shell__crash", "{}").await;
    assert_eq!(crashed.failure, Some(CallFailure::Lost));
    let text = crashed.text();
    assert!(
        text.contains("exit status: 7") && text.contains("fatal: [SECRET]"),
        "{text}"
    );
    assert_eq!(exchange.call("mcp__shell__echo", "{}").await.text(), "echo");

    let status = &session.status()[0];
    assert_eq!((status.state, status.restarts), (ServerState::Ready, 1));
    assert_eq!(status.error, None, "what is mended is not shown any more");
    assert_eq!(status.implementation.as_deref(), Some("shell 1"));
    assert_eq!(
        status.notes,
        ["1 line on stdout was no message, for example: a line of noise"]
    );
    let report = session.close().await;
    assert_eq!(report.servers[0].shutdown, Shutdown::Exited);
    let log = std::fs::read_to_string(folder.path().join("mcp.log")).unwrap();
    assert!(
        log.contains("fatal: [SECRET]") && !log.contains("hunter22"),
        "{log}"
    );
}

#[tokio::test]
async fn each_way_not_to_start_is_told() {
    for (entry, part) in [
        (
            r#"{"command": "no-such-command-here"}"#,
            "no-such-command-here",
        ),
        (
            r#"{"command": "sh", "cwd": "no-such-folder"}"#,
            "no-such-folder",
        ),
        (
            r#"{"command": "sh", "args": ["-c", "echo broken >&2; exit 3"]}"#,
            "broken",
        ),
        (r#"{"url": "http://127.0.0.1:1/mcp"}"#, "refused"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path(), entry);
        session.begin_exchange().await.unwrap().finish();
        let status = &session.status()[0];
        let error = status.error.clone().unwrap_or_default();
        assert_eq!(status.state, ServerState::Failed, "{entry}");
        assert!(error.contains(part), "{error}");
        session.close().await;
    }
}

#[tokio::test]
async fn a_status_has_the_stderr_tail_once_and_masked() {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), ENTRY);
    let exchange = session.begin_exchange().await.unwrap();
    let mut changes = session.changes();
    exchange.call("mcp__shell__crash", "{}").await;
    let status = loop {
        let status = changes.next().await.unwrap();
        if status.state == ServerState::Dropped {
            break status;
        }
    };
    let tail = status.stderr_tail.as_deref().unwrap_or_default();
    assert_eq!(tail.trim_end(), "fatal: [SECRET]");
    let lines = render(&[status]);
    assert!(lines.contains("exit status: 7"), "{lines}");
    assert_eq!(lines.matches("fatal: [SECRET]").count(), 1, "{lines}");
    drop(exchange);
    session.close().await;
}

#[tokio::test]
async fn a_command_that_runs_again_has_the_variables_of_now() {
    let folder = tempfile::tempdir().unwrap();
    let entry =
        r#"{"command": "sh", "args": ["server.sh"], "env": {"TOKEN": "!printf %s \"$WHO\""}}"#;
    let session = session(folder.path(), entry);
    let environment = |who: &'static str| -> Environment {
        [("PATH", "/usr/bin:/bin"), ("WHO", who)]
            .into_iter()
            .collect()
    };
    session.set_environment(environment("first"));
    let exchange = session.begin_exchange().await.unwrap();
    let told = exchange.call("mcp__shell__environment", "{}").await;
    assert_eq!(told.text(), "first ");
    session.set_environment(environment("second"));
    session.refresh("shell").unwrap();
    let mut changes = session.changes();
    while session.status()[0].restarts == 0 {
        changes.next().await;
    }
    let told = exchange.call("mcp__shell__environment", "{}").await;
    assert_eq!(told.text(), "second ");
    drop(exchange);
    session.close().await;
}
