//! Calls through a proxy that cuts, resets, delays, splits, merges, repeats and reorders, at random: each call ends once, with its own
//! answer or an error, none reaches the server twice, and nothing is left behind.
//!
//! `MCP_FAULT_CALLS` and `MCP_FAULT_SEED` choose a longer run and repeat one.
#![cfg(all(feature = "http", feature = "stdio", target_os = "linux"))]
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod http_support;
mod stdio_support;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http_support::Site;
use mcp_transport::{CallOptions, Connection, Era, HttpSpec, Options, RequestError};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use stdio_support::within;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// Enough to meet each fault many times.
const CALLS: u64 = 600;
const IN_FLIGHT: usize = 16;

/// A xorshift generator that all parts of one run share.
struct Dice(AtomicU64);

impl Dice {
    fn roll(&self, sides: u64) -> u64 {
        let step = |mut x: u64| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^ (x << 17)
        };
        let rolled = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |x| Some(step(x)));
        step(rolled.unwrap_or_default()) % sides
    }

    fn below(&self, count: usize) -> usize {
        usize::try_from(self.roll(count as u64)).unwrap_or(0)
    }
}

/// Forwards connections to `to` and mistreats what comes back.
async fn proxy(listener: TcpListener, to: SocketAddr, dice: Arc<Dice>) {
    let mut connections = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        connections.spawn(mistreat(client, to, Arc::clone(&dice)));
    }
}

async fn mistreat(mut client: TcpStream, to: SocketAddr, dice: Arc<Dice>) {
    let Ok(mut server) = TcpStream::connect(to).await else {
        return;
    };
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    tokio::select! {
        _ = upward(from_client, to_server, &dice) => {}
        _ = downward(from_server, to_client, &dice) => {}
    }
    if dice.roll(2) == 0 {
        // A reset instead of an orderly end.
        let _ = client.set_zero_linger();
    }
}

/// Some requests never arrive, or only their beginning does.
async fn upward(mut from: ReadHalf<'_>, mut to: WriteHalf<'_>, dice: &Dice) -> Option<()> {
    let mut buffer = [0; 4096];
    loop {
        let count = read(&mut from, &mut buffer).await?;
        let kept = if dice.roll(60) == 0 {
            dice.below(count)
        } else {
            count
        };
        to.write_all(&buffer[..kept]).await.ok()?;
        if kept < count {
            return None;
        }
    }
}

async fn downward(mut from: ReadHalf<'_>, mut to: WriteHalf<'_>, dice: &Dice) -> Option<()> {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let mut count = read(&mut from, &mut buffer[..8 * 1024]).await?;
        match dice.roll(25) {
            // Cut in the middle; the drop of both sockets ends the connection.
            0 => {
                let _ = to.write_all(&buffer[..dice.below(count)]).await;
                return None;
            }
            // Byte by byte.
            1 => {
                for byte in &buffer[..count] {
                    to.write_all(std::slice::from_ref(byte)).await.ok()?;
                    tokio::task::yield_now().await;
                }
                continue;
            }
            // Late, and merged with what follows.
            2 => {
                let wait = Duration::from_millis(1 + dice.roll(5));
                if let Ok(Ok(more)) =
                    tokio::time::timeout(wait, from.read(&mut buffer[count..])).await
                {
                    count += more;
                }
            }
            // An event twice, or two in the wrong order.
            3..=6 => {
                let shuffled = shuffle(&buffer[..count], dice);
                to.write_all(shuffled.as_deref().unwrap_or(&buffer[..count]))
                    .await
                    .ok()?;
                continue;
            }
            _ => {}
        }
        to.write_all(&buffer[..count]).await.ok()?;
    }
}

/// Repeats or swaps chunks of an event stream, each of which is one event. Nothing if the bytes are no whole chunks.
fn shuffle(bytes: &[u8], dice: &Dice) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, mut rest) = if text.starts_with("HTTP/") {
        text.split_at(text.find("\r\n\r\n")? + 4)
    } else {
        ("", text)
    };
    let mut chunks = Vec::new();
    while let Some((size, _)) = rest.split_once("\r\n").filter(|(size, _)| *size != "0") {
        let length = size.len() + 2 + usize::from_str_radix(size, 16).ok()? + 2;
        let chunk = rest.get(..length)?;
        chunk.contains("data:").then(|| chunks.push(chunk))?;
        rest = &rest[length..];
    }
    match chunks.len() {
        0 => return None,
        1 => chunks.push(chunks[0]),
        count => chunks.swap(0, 1 + dice.below(count - 1)),
    }
    Some([head, &chunks.concat(), rest].concat().into_bytes())
}

async fn read(from: &mut ReadHalf<'_>, buffer: &mut [u8]) -> Option<usize> {
    from.read(buffer).await.ok().filter(|count| *count > 0)
}

fn setting(name: &str, default: u64) -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a person chooses a longer run")]
    let text = std::env::var(name);
    text.ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// The resident memory of this process, in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or_default()
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

/// Tools that answer with their arguments: as JSON, as events, twice, with progress around the answer.
fn script() -> Value {
    let echo = json!({ "text": { "@text": { "@arguments": true } } });
    let progress = json!({ "progress": { "progress": 1 } });
    let names = ["json", "events", "twice", "around"];
    let tools: Vec<_> = names
        .iter()
        .map(|name| json!({ "name": name, "inputSchema": { "type": "object" } }))
        .collect();
    json!({
        "tools": tools,
        "calls": { "json": echo, "events": [progress, echo], "twice": [progress, echo, echo], "around": [progress, echo, progress] },
        "http": { "eventIds": true },
    })
}

/// One call; gives what became of it.
async fn one(connection: Connection, tool: &'static str, number: u64) -> Result<(), RequestError> {
    let arguments = format!("{{\"n\":{number}}}");
    let raw = RawValue::from_string(arguments.clone()).map_err(|_| RequestError::Closed)?;
    let options = CallOptions::new().timeout(Duration::from_secs(20));
    let result = connection.call_tool(tool, &raw, options).await?;
    let part: Value = serde_json::from_str(result.parts()[0].get()).unwrap_or_default();
    assert_eq!(
        part["text"], arguments,
        "{tool} got the answer of another call"
    );
    Ok(())
}

/// Connects; the handshake is mistreated too, beyond what is tried again.
async fn dial(url: &str) -> Connection {
    loop {
        let (spec, options) = (
            HttpSpec::new(url),
            Options::default().era(Some(Era::Initialize)),
        );
        let dialling = Connection::http(spec.unwrap(), options);
        if let Ok((connection, _events)) = within("connecting", dialling).await {
            return connection;
        }
    }
}

/// Makes the calls; gives how many were answered and how many failed as they may.
async fn call_all(connection: &Connection, calls: Range<u64>) -> (u64, u64) {
    let mut running = JoinSet::new();
    let (mut answered, mut failed) = (0, 0);
    let mut count = |outcome: Result<(), RequestError>| match outcome {
        Ok(()) => answered += 1,
        Err(RequestError::Network { .. } | RequestError::Http { .. }) => failed += 1,
        Err(other) => panic!("{other:?}"),
    };
    for number in calls {
        if running.len() == IN_FLIGHT {
            count(
                within("a call", running.join_next())
                    .await
                    .unwrap()
                    .unwrap(),
            );
        }
        let tool = ["json", "events", "twice", "around"][usize::try_from(number % 4).unwrap()];
        running.spawn(one(connection.clone(), tool, number));
    }
    while let Some(outcome) = within("a call", running.join_next()).await {
        count(outcome.unwrap());
    }
    (answered, failed)
}

/// The calls that the server received more than once, by their numbers.
fn sent_again(site: &Site) -> Vec<u64> {
    let mut received: HashMap<u64, u32> = HashMap::new();
    for line in site.requests("tools/call") {
        let number = line["received"]["params"]["arguments"]["n"].as_u64();
        *received.entry(number.unwrap()).or_default() += 1;
    }
    received
        .into_iter()
        .filter(|(_, times)| *times > 1)
        .map(|(number, _)| number)
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_call_ends_once_with_its_own_answer_or_an_error() {
    let seed = setting("MCP_FAULT_SEED", 0x5eed_cafe);
    let calls = setting("MCP_FAULT_CALLS", CALLS);
    println!("seed {seed}, {calls} calls");
    let site = Site::new(&script());
    let target = site
        .url
        .trim_start_matches("http://")
        .trim_end_matches("/mcp");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let before = descriptors();
    let mut background = JoinSet::new();
    background.spawn(proxy(
        listener,
        target.parse().unwrap(),
        Arc::new(Dice(AtomicU64::new(seed))),
    ));

    let connection = dial(&url).await;
    // The first calls fill the pools; what the others need must not grow with their number.
    call_all(&connection, 0..calls / 4).await;
    let warm = resident();
    let (answered, failed) = call_all(&connection, calls / 4..calls).await;
    let grown = resident().saturating_sub(warm);
    println!("{answered} answered, {failed} failed, {grown} KiB more");
    let calls = calls - calls / 4;
    assert!(
        grown < 16 * 1024,
        "seed {seed}: {grown} KiB more after {calls} calls"
    );
    assert_eq!(answered + failed, calls);
    assert!(
        answered > calls / 2,
        "seed {seed}: {answered} of {calls} answered"
    );
    assert_eq!(sent_again(&site), [0; 0], "seed {seed}");
    assert_eq!(connection.stats().pending, 0);

    within("closing", connection.close()).await;
    drop(connection);
    background.shutdown().await;
    within("the end of all sockets", async {
        while descriptors() > before + 1 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}
