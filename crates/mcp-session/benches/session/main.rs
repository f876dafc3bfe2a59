//! What a session costs over the connections below it: `cargo bench -p mcp-session`. It prints and
//! fails where one is over its limit: the beginning of an exchange with 100 servers and 1,000 tools
//! when nothing has changed, a call over the same call on a bare connection, and the memory of a
//! further idle server beyond its tools.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark stops where it cannot go on, and talks"
)]

mod memory;
mod meter;
mod peer;

use std::time::Duration;

use mcp_config::{Environment, Layer};
use mcp_session::{Exchange, Session};
use mcp_transport::{CallOptions, Connection, Options};
use serde_json::{Value, json, value::RawValue};

use meter::cpu;
use peer::{Peers, Remote};

const SERVERS: usize = 100;
const BEGINNINGS: u32 = 200;
const CALLS: usize = 5_000;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    // This program is also the servers, and the sessions whose memory is measured.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [peer::ROLE, folder] => runtime.block_on(peer::run(folder.as_ref())),
        [memory::ROLE, socket] => runtime.block_on(memory::run(socket.as_ref())),
        _ => runtime.block_on(measure()),
    }
}

async fn measure() {
    let peers = Peers::start();
    let (bare, full) = (memory::of(&peers.bare()), memory::of(&peers.full()));
    let full_servers = Remote::at(peers.full());
    let begin = beginning(&full_servers).await;
    let call = call(&full_servers).await;
    println!(
        "begin_exchange, {SERVERS} servers, {} tools, unchanged: {begin:.0} us of CPU (limit 1000)",
        SERVERS * peer::TOOLS,
    );
    println!("exchange.call over Connection::call_tool: {call:.2} us of CPU (limit 5)");
    println!(
        "a further idle server without tools: {:.1} KB resident (limit 25), {:.1} KB of it allocated",
        bare.resident, bare.allocated
    );
    println!(
        "each of its tools, while nobody calls it: {:.2} KB allocated",
        (full.allocated - bare.allocated) / f64::from(u32::try_from(peer::TOOLS).unwrap())
    );
    assert!(
        begin <= 1000.0 && call <= 5.0 && bare.resident <= 25.0,
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

/// Microseconds of CPU that a call takes more than on the connection itself: the median of interleaved
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
    let start = cpu();
    for _ in 0..CALLS {
        let result = exchange.call(&name, ARGUMENTS).await;
        assert!(!result.is_error);
    }
    cpu().saturating_sub(start)
}

async fn bare_calls(connection: &Connection) -> Duration {
    let arguments = RawValue::from_string(ARGUMENTS.to_owned()).unwrap();
    let start = cpu();
    for _ in 0..CALLS {
        connection
            .call_tool("t0", &arguments, CallOptions::new())
            .await
            .unwrap();
    }
    cpu().saturating_sub(start)
}

/// A session of so many servers.
fn session(folder: &std::path::Path, servers: usize, remote: &Remote) -> Session {
    write(folder, servers);
    let environment: Environment = [("TOKEN", "a-token")].into_iter().collect();
    Session::builder()
        .layers([Layer::user(folder.join("mcp.json"))])
        .base(folder)
        .environment(environment)
        .connector(remote.clone())
        .build()
}

/// The file from which the next exchange takes so many servers.
fn write(folder: &std::path::Path, servers: usize) {
    let entry = json!({"command": "x", "env": {"TOKEN": "${TOKEN}"}});
    let entries = (0..servers).map(|number| (format!("server{number}"), entry.clone()));
    let file = json!({"mcpServers": entries.collect::<serde_json::Map<String, Value>>()});
    std::fs::write(folder.join("mcp.json"), file.to_string()).unwrap();
}
