//! The host under soak: one session, exchange after exchange, calls side by side.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use mcp_config::{Environment, Layer};
use mcp_session::{CallFailure, Exchange, ServerState, Session};
use serde_json::{Map, json};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::sample::Sample;
use crate::fleet::{Fixture, Folder, Transport, Web};
use crate::outcome::Outcome;

/// Calls of one exchange.
pub(super) const EXCHANGE: u64 = 2_000;
/// Calls side by side.
const TOGETHER: u64 = 32;
/// In one exchange of so many a server crashes.
const CRASHES: u64 = 5;
/// How long all servers may take to be there again.
const RECOVERY: Duration = Duration::from_secs(30);

/// The session and what it has done.
pub(super) struct Host {
    session: Session,
    servers: Vec<String>,
    exchanges: u64,
    id: Arc<AtomicU64>,
    wrong: Vec<String>,
}

impl Host {
    /// Lays the servers; half of them over HTTP, half of the newest era.
    pub(super) fn new(folder: &Folder, count: usize) -> Outcome<(Host, Vec<Web>)> {
        let mut webs = Vec::new();
        let mut entries = Map::new();
        let mut servers = Vec::new();
        for number in 0..count {
            let fixture = fixture(number);
            folder.lay(&fixture)?;
            let entry = match fixture.transport {
                Transport::Stdio => folder.stdio_entry(&fixture.name)?,
                Transport::Http => {
                    let web = Web::start(folder, &fixture.name)?;
                    let entry = json!({ "url": web.url() });
                    webs.push(web);
                    entry
                }
            };
            entries.insert(fixture.name.clone(), entry);
            servers.push(fixture.name);
        }
        let file = folder.path("mcp.json");
        std::fs::write(&file, json!({ "mcpServers": entries }).to_string())?;
        let session = Session::builder()
            .layers([Layer::user(file)])
            .home(folder.path("home"))
            .base(folder.root())
            .environment(
                [("PATH", "/usr/bin:/bin")]
                    .into_iter()
                    .collect::<Environment>(),
            )
            .build();
        let host = Host {
            session,
            servers,
            exchanges: 0,
            id: Arc::default(),
            wrong: Vec::new(),
        };
        Ok((host, webs))
    }

    /// One exchange with its calls, after which everything is looked at.
    pub(super) async fn exchange(&mut self, calls: u64) -> Outcome<Sample> {
        let exchange = Arc::new(self.all_ready().await?);
        let turn = usize::try_from(self.exchanges)? % self.servers.len();
        self.exchanges += 1;
        let server = self.servers[turn].clone();
        // The replacement happens among the calls, and costs none.
        self.session.refresh(&server)?;
        let per_caller = calls.div_ceil(TOGETHER);
        let mut callers = JoinSet::new();
        for caller in 0..TOGETHER {
            let count = per_caller.min(calls.saturating_sub(caller * per_caller));
            let caller = Caller {
                exchange: Arc::clone(&exchange),
                names: self
                    .servers
                    .iter()
                    .map(|name| exposed(name, "echo"))
                    .collect(),
                id: Arc::clone(&self.id),
                count,
            };
            callers.spawn(caller.run());
        }
        while let Some(wrong) = callers.join_next().await {
            self.wrong.extend(wrong?);
        }
        if self.exchanges.is_multiple_of(CRASHES) {
            let lost = exchange.call(&exposed(&server, "crash"), "{}").await;
            if lost.failure != Some(CallFailure::Lost) {
                self.wrong
                    .push(format!("a crash of {server}: {}", lost.text()));
            }
            self.back(&exchange, &server).await;
        }
        drop(exchange);
        drop(self.all_ready().await?);
        Sample::take(self.id.load(Relaxed))
    }

    /// Waits until a server that crashed answers: over HTTP the host does not start it, and cannot know.
    async fn back(&self, exchange: &Exchange, server: &str) {
        let start = Instant::now();
        let echo = exposed(server, "echo");
        while exchange.call(&echo, r#"{"id":0}"#).await.failure.is_some()
            && start.elapsed() < RECOVERY
        {
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// What was answered wrongly, or not at all.
    pub(super) fn wrong(&self) -> &[String] {
        &self.wrong
    }

    pub(super) async fn close(&self) {
        self.session.close().await;
    }

    /// An exchange that has all servers.
    async fn all_ready(&self) -> Outcome<Exchange> {
        let start = Instant::now();
        loop {
            let exchange = self.session.begin_exchange().await?;
            let status = self.session.status();
            let ready = status
                .iter()
                .all(|status| status.state == ServerState::Ready);
            if ready && exchange.tools().len() == 2 * self.servers.len() {
                return Ok(exchange);
            }
            if start.elapsed() > RECOVERY {
                return Err(format!("not every server is ready: {status:?}").into());
            }
            drop(exchange);
            sleep(Duration::from_millis(20)).await;
        }
    }
}

/// One of those who call side by side.
struct Caller {
    exchange: Arc<Exchange>,
    names: Vec<String>,
    id: Arc<AtomicU64>,
    count: u64,
}

impl Caller {
    async fn run(self) -> Vec<String> {
        let mut wrong = Vec::new();
        for _ in 0..self.count {
            let id = self.id.fetch_add(1, Relaxed);
            let at = usize::try_from(id).unwrap_or_default() % self.names.len();
            let arguments = format!(r#"{{"id":{id}}}"#);
            let result = self.exchange.call(&self.names[at], &arguments).await;
            if result.failure.is_some() || result.text() != arguments {
                wrong.push(format!("{} {arguments}: {}", self.names[at], result.text()));
            }
        }
        wrong
    }
}

fn fixture(number: usize) -> Fixture {
    let (versions, http) = match number % 4 {
        0 => (["2025-11-25"], None),
        1 => (["2026-07-28"], None),
        2 => (["2025-11-25"], Some(json!({}))),
        _ => (["2026-07-28"], Some(json!({"answers": "sse"}))),
    };
    let transport = if http.is_some() {
        Transport::Http
    } else {
        Transport::Stdio
    };
    let mut script = json!({
        "versions": versions,
        "tools": [
            { "name": "echo", "inputSchema": { "type": "object", "required": ["id"] } },
            { "name": "crash", "inputSchema": { "type": "object" } },
        ],
        "calls": { "crash": { "exit": 7 } },
    });
    if let Some(http) = http {
        script["http"] = http;
    }
    Fixture {
        name: format!("server-{number}"),
        transport,
        script,
    }
}

fn exposed(server: &str, tool: &str) -> String {
    format!("mcp__{}__{tool}", server.replace('-', "_"))
}
