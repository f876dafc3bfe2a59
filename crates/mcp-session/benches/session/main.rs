//! What a session costs over the connections below it: `cargo bench -p mcp-session`. It prints three
//! figures and fails where one is over its limit: the beginning of an exchange with 100 servers and
//! 1,000 tools when nothing has changed, a call over the same call on a bare connection, and the
//! memory of a further idle server beyond its tools.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark stops where it cannot go on, and talks"
)]

mod meter;
mod peer;

use std::time::{Duration, Instant};

use mcp_config::{Environment, Layer};
use mcp_session::{Exchange, Session};
use mcp_transport::{CallOptions, Connection, Options};
use serde_json::{Value, json, value::RawValue};

use meter::{cpu, resident};
use peer::{Peers, Remote};

const SERVERS: usize = 100;
/// So many sessions' worth of servers are there before the further ones are measured.
const WARM: usize = 50;
const FURTHER: usize = 400;
const BEGINNINGS: u32 = 200;
const CALLS: usize = 5_000;

fn main() {
    if peer::is_wanted() {
        return peer::run();
    }
    let peers = Peers::start();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (begin, call, bare, full) = runtime.block_on(async {
        let bare = memory(&peers.without_tools()).await;
        let full = memory(&peers.with_tools()).await;
        let begin = beginning(&peers.with_tools()).await;
        let call = call(&peers.with_tools()).await;
        (begin, call, bare, full)
    });
    println!(
        "begin_exchange, {SERVERS} servers, {} tools, unchanged: {begin:.0} us of CPU (limit 1000)",
        SERVERS * peer::TOOLS,
    );
    println!("exchange.call over Connection::call_tool: {call:.2} us (limit 5)");
    println!("a further idle server beyond its tools: {bare:.1} KB (limit 25)");
    println!(
        "  each of its tools, not compiled: {:.2} KB",
        (full - bare) / f64::from(u32::try_from(peer::TOOLS).unwrap())
    );
    assert!(
        begin <= 1000.0 && call <= 5.0 && bare <= 25.0,
        "over the limit"
    );
}

/// Microseconds of CPU for one beginning when all servers are ready and nothing has changed.
async fn beginning(servers: &Remote) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), SERVERS, servers);
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(exchange.tools().len(), SERVERS * peer::TOOLS);
    drop(exchange);
    let start = cpu();
    for _ in 0..BEGINNINGS {
        session.begin_exchange().await.unwrap().finish();
    }
    let spent = cpu().saturating_sub(start);
    session.close().await;
    spent.as_secs_f64() * 1e6 / f64::from(BEGINNINGS)
}

/// Microseconds that a call takes longer than on the connection itself: the median of interleaved
/// batches.
async fn call(servers: &Remote) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let session = session(folder.path(), 1, servers);
    let exchange = session.begin_exchange().await.unwrap();
    let (bare, _events) = servers.connection(Options::default()).await.unwrap();
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

/// Kilobytes of resident memory for one more idle server. The servers themselves are in another
/// process.
async fn memory(servers: &Remote) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let few = session(folder.path(), WARM, servers);
    let exchange = few.begin_exchange().await.unwrap();
    let before = resident();
    let folder = tempfile::tempdir().unwrap();
    let many = session(folder.path(), FURTHER, servers);
    let more = many.begin_exchange().await.unwrap();
    let after = resident();
    assert!(
        many.status()
            .iter()
            .all(|status| status.state == mcp_session::ServerState::Ready)
    );
    drop((exchange, more));
    few.close().await;
    many.close().await;
    (after - before) / f64::from(u32::try_from(FURTHER).unwrap())
}

fn session(folder: &std::path::Path, servers: usize, remote: &Remote) -> Session {
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
        .connector(remote.clone())
        .build()
}
