//! What a session costs over the connections below it: `cargo bench -p mcp-session`. It prints
//! three figures and fails where one is over its limit: the beginning of an exchange with 100
//! servers and 1,000 tools when nothing has changed, a call over the same call on a bare
//! connection, and the memory of an idle server.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark stops where it cannot go on, and talks"
)]

use std::time::{Duration, Instant};

use mcp_config::{Environment, Layer};
use mcp_session::{
    BoxFuture, ConnectFailure, ConnectRequest, Connected, Connector, Exchange, Session,
};
use mcp_transport::{CallOptions, Connection, Options};
use serde_json::{Value, json, value::RawValue};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};

const SERVERS: usize = 100;
const TOOLS: usize = 10;
const BEGINNINGS: u32 = 200;
const CALLS: usize = 5_000;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let begin = beginning().await;
        let call = call().await;
        let memory = memory().await;
        println!(
            "begin_exchange, {SERVERS} servers, {} tools, unchanged: {:.0} us of CPU (limit 1000)",
            SERVERS * TOOLS,
            begin
        );
        println!("exchange.call over Connection::call_tool: {call:.2} us (limit 5)");
        println!("a further idle server, its in-memory peer included: {memory:.1} KB");
        assert!(begin <= 1000.0 && call <= 5.0, "over the limit");
    });
}

/// Microseconds of CPU for one beginning when all servers are ready and nothing has changed.
async fn beginning() -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), SERVERS);
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(exchange.tools().len(), SERVERS * TOOLS);
    drop(exchange);
    let start = cpu();
    for _ in 0..BEGINNINGS {
        session.begin_exchange().await.unwrap().finish();
    }
    let spent = cpu().saturating_sub(start);
    session.close().await;
    spent.as_secs_f64() * 1e6 / f64::from(BEGINNINGS)
}

/// Microseconds that a call takes longer than on the connection itself: the medians of interleaved
/// batches.
async fn call() -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), 1);
    let exchange = session.begin_exchange().await.unwrap();
    let (near, far) = tokio::io::duplex(1 << 16);
    let mut tasks = tokio::task::JoinSet::new();
    tasks.spawn(serve(far));
    let (reader, writer) = tokio::io::split(near);
    let (bare, _events) = Connection::over(reader, writer, Options::default())
        .await
        .unwrap();
    let mut differences: Vec<f64> = Vec::new();
    for _ in 0..9 {
        let through = session_calls(&exchange).await;
        let below = bare_calls(&bare).await;
        differences.push(
            (through.as_secs_f64() - below.as_secs_f64()) * 1e6
                / f64::from(u32::try_from(CALLS).unwrap()),
        );
    }
    session.close().await;
    differences.sort_by(f64::total_cmp);
    differences[differences.len() / 2]
}

const ARGUMENTS: &str = r#"{"path": "/some/file", "limit": 10}"#;

async fn session_calls(exchange: &Exchange) -> Duration {
    let name = exchange.tools()[0].name().to_owned();
    let start = Instant::now();
    for _ in 0..CALLS {
        let result = exchange.call(&name, ARGUMENTS).await;
        assert!(!result.is_error);
    }
    start.elapsed()
}

async fn bare_calls(connection: &Connection) -> Duration {
    let arguments = RawValue::from_string(ARGUMENTS.to_owned()).unwrap();
    let start = Instant::now();
    for _ in 0..CALLS {
        connection
            .call_tool("t0", &arguments, CallOptions::new())
            .await
            .unwrap();
    }
    start.elapsed()
}

/// Kilobytes of resident memory for one more idle server.
async fn memory() -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let few = session(folder.path(), 50);
    let exchange = few.begin_exchange().await.unwrap();
    let before = resident();
    let folder = tempfile::tempdir().unwrap();
    let many = session(folder.path(), 450);
    let more = many.begin_exchange().await.unwrap();
    let after = resident();
    drop((exchange, more));
    few.close().await;
    many.close().await;
    (after - before) / 450.0
}

fn session(folder: &std::path::Path, servers: usize) -> Session {
    let entries: serde_json::Map<String, Value> = (0..servers)
        .map(|number| {
            (
                format!("server{number}"),
                json!({"command": "x", "env": {"TOKEN": "${TOKEN}"}}),
            )
        })
        .collect();
    let file = folder.join("mcp.json");
    std::fs::write(&file, json!({"mcpServers": entries}).to_string()).unwrap();
    let environment: Environment = [("TOKEN", "a-token")].into_iter().collect();
    Session::builder()
        .layers([Layer::user(file)])
        .base(folder)
        .environment(environment)
        .connector(InMemory)
        .build()
}

struct InMemory;

impl Connector for InMemory {
    fn connect(
        &self,
        request: ConnectRequest,
    ) -> BoxFuture<'static, Result<Connected, ConnectFailure>> {
        Box::pin(async move {
            let (near, far) = tokio::io::duplex(1 << 16);
            #[expect(
                clippy::disallowed_methods,
                reason = "a scripted server ends with its pipe"
            )]
            tokio::spawn(serve(far));
            let (reader, writer) = tokio::io::split(near);
            Ok(Connection::over(reader, writer, request.options).await?)
        })
    }
}

async fn serve(pipe: DuplexStream) {
    let (reader, mut writer) = tokio::io::split(pipe);
    let mut lines = BufReader::with_capacity(512, reader).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let request: Value = serde_json::from_str(&line).unwrap();
        if request.get("id").is_none() {
            continue;
        }
        let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": answer(&request)});
        if writer
            .write_all(format!("{answer}\n").as_bytes())
            .await
            .is_err()
        {
            return;
        }
    }
}

fn answer(request: &Value) -> Value {
    match request["method"].as_str().unwrap() {
        "initialize" => {
            json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}})
        }
        "tools/list" => {
            let schema = json!({"type": "object", "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["path"]});
            let tools: Vec<Value> = (0..TOOLS)
                .map(|number| json!({"name": format!("t{number}"), "inputSchema": schema}))
                .collect();
            json!({"tools": tools})
        }
        // A result of the discovery's shape would mean another era.
        "server/discover" => json!({}),
        _ => json!({"content": [{"type": "text", "text": "a line of text"}]}),
    }
}

/// CPU time of all threads of this process.
fn cpu() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").unwrap();
    let nanos = threads.map(|thread| {
        let stat =
            std::fs::read_to_string(thread.unwrap().path().join("schedstat")).unwrap_or_default();
        stat.split(' ')
            .next()
            .and_then(|nanos| nanos.parse::<u64>().ok())
            .unwrap_or(0)
    });
    Duration::from_nanos(nanos.sum())
}

/// Resident memory in kilobytes.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
