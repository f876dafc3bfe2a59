//! The host under attack: two good servers, whose speed is measured before and while the bad one is there.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_config::{Environment, Layer};
use mcp_session::{Exchange, Session};
use rustix::process::{Resource, Rlimit, setrlimit};
use serde_json::{Map, Value, json};
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use super::attacks::{self, Attack, BAD};
use super::report::Report;
use crate::fleet::{Fixture, Folder, Transport, Web};
use crate::outcome::Outcome;
use crate::procfs::{self, Memory, Process};

/// Which attack a host is to stand.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct VictimArguments {
    attack: String,
}

/// How long the good servers are measured alone.
const BEFORE: Duration = Duration::from_millis(500);
/// How long an attack lasts at least.
const LEAST: Duration = Duration::from_millis(500);
/// How long one lasts beyond the patience that the host has with the bad server, to start and to answer.
const GRACE: Duration = Duration::from_secs(15);
/// Calls of the bad server side by side.
const BAD_CALLS: usize = 3;
/// A host that is made to fill the machine's memory is ended before it does.
const MOST_MEMORY: u64 = 4 << 30;
/// What a table can show of what the host did.
const SHOWN: usize = 160;
/// The good servers by name.
const GOOD: [(&str, Transport); 2] = [
    ("good-stdio", Transport::Stdio),
    ("good-http", Transport::Http),
];

/// Stands one attack and prints the report.
pub(crate) fn host(arguments: &VictimArguments) -> Outcome<()> {
    let attack = attacks::all()
        .into_iter()
        .find(|attack| attack.name == arguments.attack)
        .ok_or("there is no such attack")?;
    let most = Some(MOST_MEMORY);
    setrlimit(
        Resource::As,
        Rlimit {
            current: most,
            maximum: most,
        },
    )?;
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let report = runtime.block_on(stand(&attack))?;
    writeln!(io::stdout(), "{}", serde_json::to_string(&report)?)?;
    Ok(())
}

async fn stand(attack: &Attack) -> Outcome<Report> {
    let place = tempfile::Builder::new().prefix("mcp-abuse-").tempdir()?;
    let mut victim = Victim::new(Folder::without_journals(place.path()))?;
    let exchange = victim.begin().await?;
    let mut good = Good::default();
    good.measure(&exchange, BEFORE).await;
    let before = good.rate();
    drop(exchange);

    let memory = Memory::read()?.now;
    victim.add(attack)?;
    // Not what it took to lay the script.
    procfs::reset_peak()?;
    let mut good = Good::default();
    let did = victim.attacked(attack, &mut good).await?;
    let closing = Instant::now();
    victim.session.close().await;
    let close_ms = closing.elapsed().as_millis();
    let growth = Memory::read()?.peak.saturating_sub(memory);
    let left = procfs::until_gone(Duration::from_secs(5), || victim.left_over()).err();
    Ok(Report {
        did,
        growth,
        before,
        during: good.rate(),
        slowest_ms: u64::try_from(good.slowest.as_millis())?,
        wrong: good.wrong,
        close_ms: u64::try_from(close_ms)?,
        left: left
            .into_iter()
            .flatten()
            .map(|process| process.command)
            .collect(),
    })
}

struct Victim {
    folder: Folder,
    session: Session,
    entries: Map<String, Value>,
    webs: Vec<Web>,
}

impl Victim {
    fn new(folder: Folder) -> Outcome<Victim> {
        let session = Session::builder()
            .layers([Layer::user(folder.path("mcp.json"))])
            .home(folder.path("home"))
            .base(folder.root())
            .environment(
                [("PATH", "/usr/bin:/bin")]
                    .into_iter()
                    .collect::<Environment>(),
            )
            .initial_wait(Duration::from_secs(1))
            .build();
        let mut victim = Victim {
            folder,
            session,
            entries: Map::new(),
            webs: Vec::new(),
        };
        for (name, transport) in GOOD {
            let script = json!({
                "tools": [{ "name": "echo", "inputSchema": { "type": "object" } }],
            });
            victim.lay(name, transport, script, None)?;
        }
        Ok(victim)
    }

    /// The bad server joins the others.
    fn add(&mut self, attack: &Attack) -> Outcome<()> {
        let (script, patience) = ((attack.script)(), attack.patience_ms);
        self.lay(BAD, attack.transport, script, Some(patience))
    }

    fn lay(
        &mut self,
        name: &str,
        transport: Transport,
        script: Value,
        patience_ms: Option<u64>,
    ) -> Outcome<()> {
        self.folder.lay(&Fixture {
            name: name.to_owned(),
            transport,
            script,
        })?;
        let mut entry = match transport {
            Transport::Stdio => self.folder.stdio_entry(name)?,
            Transport::Http => {
                let web = Web::start(&self.folder, name)?;
                let entry = json!({ "url": web.url() });
                self.webs.push(web);
                entry
            }
        };
        for limit in ["startTimeoutMs", "requestTimeoutMs", "maxRequestMs"] {
            if let Some(patience) = patience_ms {
                entry[limit] = json!(patience);
            }
        }
        self.entries.insert(name.to_owned(), entry);
        let text = json!({ "mcpServers": self.entries }).to_string();
        std::fs::write(self.folder.path("mcp.json"), text)?;
        Ok(())
    }

    /// An exchange in which the good servers are there.
    async fn begin(&self) -> Outcome<Exchange> {
        let start = Instant::now();
        loop {
            let exchange = self.session.begin_exchange().await?;
            let names: Vec<&str> = exchange
                .tools()
                .iter()
                .map(mcp_session::ToolDefinition::name)
                .collect();
            if GOOD
                .iter()
                .all(|(name, _)| names.contains(&&*exposed(name, "echo")))
            {
                return Ok(exchange);
            }
            if start.elapsed() > GRACE {
                return Err(format!(
                    "the good servers are not there: {:?}",
                    self.session.status()
                )
                .into());
            }
        }
    }

    /// Begins exchanges and calls the bad server until it has done its worst; measures the good ones.
    async fn attacked(&self, attack: &Attack, good: &mut Good) -> Outcome<String> {
        let start = Instant::now();
        let most = Duration::from_millis(2 * attack.patience_ms) + GRACE;
        let bad = exposed(BAD, "attack");
        let mut exchange = Arc::new(self.begin().await?);
        // The server may need longer than an exchange waits for it, or never be there.
        while !exchange.tools().iter().any(|tool| tool.name() == bad) && self.connecting() {
            good.measure(&exchange, LEAST).await;
            drop(exchange);
            exchange = Arc::new(self.begin().await?);
        }
        let mut calls = JoinSet::new();
        for _ in 0..BAD_CALLS {
            let (exchange, bad) = (Arc::clone(&exchange), bad.clone());
            let arguments = json!({ "filler": "x".repeat(attack.argument) }).to_string();
            calls.spawn(async move { exchange.call(&bad, &arguments).await });
        }
        let began = Instant::now();
        let mut results: BTreeMap<String, usize> = BTreeMap::new();
        while start.elapsed() < most && (!calls.is_empty() || began.elapsed() < LEAST) {
            good.measure(&exchange, Duration::from_millis(50)).await;
            while let Some(result) = calls.try_join_next() {
                let result = result?;
                let word = if result.is_error {
                    short(&result.text())
                } else {
                    "answered".to_owned()
                };
                *results.entry(word).or_default() += 1;
            }
        }
        if !calls.is_empty() {
            results.insert("calls WITHOUT AN END".to_owned(), calls.len());
        }
        Ok(self.story(&results))
    }

    fn connecting(&self) -> bool {
        let status = self.session.status();
        status
            .iter()
            .any(|status| status.server == BAD && status.error.is_none() && status.tools == 0)
    }

    /// What happened to the bad server, in the words that a model and a person read.
    fn story(&self, results: &BTreeMap<String, usize>) -> String {
        let results = results
            .iter()
            .map(|(text, count)| format!("{count}x {text}"));
        let status = self.session.status();
        let bad = status.into_iter().find(|status| status.server == BAD);
        let notes = bad.into_iter().flat_map(|bad| {
            let state = format!("{}, {} tools", bad.state, bad.tools);
            let error = bad.error.map(|error| short(&error));
            // The last one says how many more there are.
            let more = bad.notes.len() > 1;
            let notes = bad.notes.first().into_iter();
            let notes = notes.chain(bad.notes.last().filter(|_| more));
            let notes: Vec<String> = notes.map(|note| short(note)).collect();
            std::iter::once(state).chain(error).chain(notes)
        });
        results.chain(notes).collect::<Vec<_>>().join(" | ")
    }

    fn left_over(&self) -> Vec<Process> {
        let own: Vec<u32> = self.webs.iter().filter_map(Web::pid).collect();
        procfs::processes_of(self.folder.root())
            .into_iter()
            .filter(|process| !own.contains(&process.pid))
            .collect()
    }
}

/// The calls of the good servers.
#[derive(Default)]
struct Good {
    calls: u32,
    spent: Duration,
    slowest: Duration,
    wrong: Vec<String>,
}

impl Good {
    /// Calls one after the other for so long.
    async fn measure(&mut self, exchange: &Exchange, window: Duration) {
        let start = Instant::now();
        while start.elapsed() < window {
            for (name, _) in GOOD {
                let arguments = format!(r#"{{"id":{}}}"#, self.calls);
                let began = Instant::now();
                let result = exchange.call(&exposed(name, "echo"), &arguments).await;
                self.slowest = self.slowest.max(began.elapsed());
                if result.text() != arguments && self.wrong.len() < 3 {
                    self.wrong.push(short(&result.text()));
                }
                self.calls += 1;
            }
        }
        self.spent += start.elapsed();
    }

    /// Calls a second.
    fn rate(&self) -> f64 {
        f64::from(self.calls) / self.spent.as_secs_f64().max(f64::EPSILON)
    }
}

fn exposed(server: &str, tool: &str) -> String {
    format!("mcp__{}__{tool}", server.replace('-', "_"))
}

/// The start of a text, on one line and without what a terminal would obey.
fn short(text: &str) -> String {
    let line = text.replace('\n', " ");
    let shown: String = line
        .chars()
        .filter(|c| !c.is_control())
        .take(SHOWN)
        .collect();
    shown
}
