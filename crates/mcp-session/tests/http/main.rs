//! A session over HTTP: the one replay that an expired session allows, and refused credentials.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use mcp_config::{Environment, Layer};
use mcp_session::{CallFailure, ServerState, Session};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// What the next calls meet; afterwards each is answered.
#[derive(Clone, Copy, PartialEq)]
enum Meets {
    /// 404: the session is gone, and the call did not run.
    Expiry,
    /// 401.
    Refusal,
}

#[derive(Default)]
struct State {
    sessions: usize,
    plans: VecDeque<Meets>,
    /// Calls that ran, by session.
    ran: Vec<String>,
    refuse_all: bool,
}

struct Server {
    address: std::net::SocketAddr,
    state: Arc<Mutex<State>>,
    _task: JoinSet<()>,
}

impl Server {
    async fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::<Mutex<State>>::default();
        let shared = Arc::clone(&state);
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                connections.spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Server {
            address,
            state,
            _task: task,
        }
    }

    fn plan(&self, plans: impl IntoIterator<Item = Meets>) {
        self.state.lock().unwrap().plans.extend(plans);
    }

    fn ran(&self) -> Vec<String> {
        self.state.lock().unwrap().ran.clone()
    }
}

/// Answers requests on one TCP connection until it ends.
async fn serve(stream: TcpStream, state: Arc<Mutex<State>>) {
    let mut stream = BufReader::new(stream);
    loop {
        let (mut line, mut length, mut session) = (String::new(), 0, String::new());
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
            return;
        }
        let method = line.split(' ').next().unwrap().to_owned();
        loop {
            let mut header = String::new();
            stream.read_line(&mut header).await.unwrap();
            let Some((name, value)) = header.trim_end().split_once(':') else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap(),
                "mcp-session-id" => value.trim().clone_into(&mut session),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.unwrap();
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let (status, headers, answer) =
            answer(&method, &message, &session, &mut state.lock().unwrap());
        let head = format!(
            "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n",
            answer.len()
        );
        if stream
            .write_all(format!("{head}{answer}").as_bytes())
            .await
            .is_err()
        {
            return;
        }
    }
}

fn answer(
    method: &str,
    message: &Value,
    session: &str,
    state: &mut State,
) -> (&'static str, String, String) {
    let json = "content-type: application/json\r\n";
    let ok = |headers: String, result: Value| {
        let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
        ("200 OK", format!("{json}{headers}"), answer.to_string())
    };
    let none = |status| (status, String::new(), String::new());
    if state.refuse_all {
        return none("401 Unauthorized");
    }
    match (method, message["method"].as_str().unwrap_or_default()) {
        ("POST", "initialize") => {
            state.sessions += 1;
            let headers = format!("mcp-session-id: s{}\r\n", state.sessions);
            ok(
                headers,
                json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "h", "version": "1"}}),
            )
        }
        ("POST", "tools/list") => ok(
            String::new(),
            json!({"tools": [{"name": "run", "inputSchema": {"type": "object"}}]}),
        ),
        ("POST", "tools/call") => match state.plans.pop_front() {
            Some(Meets::Expiry) => none("404 Not Found"),
            Some(Meets::Refusal) => none("401 Unauthorized"),
            None => {
                state.ran.push(session.to_owned());
                ok(
                    String::new(),
                    json!({"content": [{"type": "text", "text": session}]}),
                )
            }
        },
        ("POST", name) if name.starts_with("notifications/") => none("202 Accepted"),
        ("POST", _) => {
            let error = json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "unknown"}});
            ("200 OK", json.to_owned(), error.to_string())
        }
        ("DELETE", _) => none("204 No Content"),
        _ => none("405 Method Not Allowed"),
    }
}

fn session(folder: &std::path::Path, server: &Server) -> Session {
    let file = folder.join("mcp.json");
    let entry = json!({"url": format!("http://{}/mcp", server.address), "headers": {"Authorization": "Bearer ${TOKEN}"}});
    std::fs::write(&file, json!({"mcpServers": {"web": entry}}).to_string()).unwrap();
    let environment: Environment = [("TOKEN", "tok-secret-1")].into_iter().collect();
    Session::builder()
        .layers([Layer::user(file)])
        .base(folder)
        .environment(environment)
        .build()
}

#[tokio::test]
async fn a_call_that_an_expired_session_refused_is_sent_once_more_on_a_new_one() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let session = session(folder.path(), &server);
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(exchange.call("mcp__web__run", "{}").await.text(), "s1");
    server.plan([Meets::Expiry]);
    assert_eq!(exchange.call("mcp__web__run", "{}").await.text(), "s2");
    assert_eq!(server.ran(), ["s1", "s2"]);

    // A second expiry in a row fails the call; the next call has a session again.
    server.plan([Meets::Expiry, Meets::Expiry]);
    let result = exchange.call("mcp__web__run", "{}").await;
    assert_eq!(
        result.failure,
        Some(CallFailure::SessionExpired),
        "{}",
        result.text()
    );
    assert!(!exchange.call("mcp__web__run", "{}").await.is_error);
    assert_eq!(server.ran().len(), 3);
    session.close().await;
}

#[tokio::test]
async fn refused_credentials_name_the_header_and_the_variable_behind_it() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let session = session(folder.path(), &server);
    let exchange = session.begin_exchange().await.unwrap();
    server.plan([Meets::Refusal]);
    let result = exchange.call("mcp__web__run", "{}").await;
    assert_eq!(result.failure, Some(CallFailure::NeedsAuth));
    assert!(
        result
            .text()
            .contains("Authorization comes from the variable TOKEN"),
        "{}",
        result.text()
    );
    drop(exchange);

    server.state.lock().unwrap().refuse_all = true;
    session.refresh("web").unwrap();
    let mut changes = session.changes();
    let status = loop {
        let status = changes.next().await.unwrap();
        if status.state == ServerState::Failed {
            break status;
        }
    };
    let error = status.error.unwrap();
    assert!(
        error.contains("401") && error.contains("the variable TOKEN"),
        "{error}"
    );
    assert!(!error.contains("tok-secret"), "{error}");
    session.close().await;
}
