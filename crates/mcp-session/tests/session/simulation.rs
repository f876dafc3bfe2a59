//! Random histories, each from a seed: exchanges, calls, crashes, changed lists and configurations
//! in any order. Whatever happens: no call runs twice, each call ends, a name never changes its
//! tool, one connection a server once things are quiet, nothing left at the end.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use mcp_session::{Exchange, Session, ToolResult};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::support::dice::Dice;
use crate::support::sandbox::environment;
use crate::support::{Plan, Sandbox};

const SERVERS: [&str; 3] = ["a", "b", "a__b"];
const TOOLS: [&str; 5] = ["echo", "hang", "boom", "b__echo", "new"];

struct World {
    dice: Dice,
    sandbox: Sandbox,
    session: Session,
    exchange: Option<Arc<Exchange>>,
    calls: JoinSet<ToolResult>,
    sent: usize,
    /// Every name that was ever shown, and what it was the name of.
    names: HashMap<String, (String, String)>,
    /// What stands in the file for each server.
    entries: BTreeMap<&'static str, String>,
}

impl World {
    fn new(seed: u64) -> World {
        let sandbox = Sandbox::new("");
        for server in SERVERS {
            sandbox.fleet.tools(server, &TOOLS[..4]);
            sandbox
                .fleet
                .answer(server, "hang", json!("silence"))
                .answer(server, "boom", json!("crash"));
        }
        let session = sandbox
            .builder()
            .initial_wait(Duration::from_millis(20))
            .build();
        let entries = SERVERS.iter().map(|server| {
            (
                *server,
                r#""command": "x", "env": {"T": "${TOKEN:-}"}"#.to_owned(),
            )
        });
        let mut world = World {
            dice: Dice(seed),
            sandbox,
            session,
            exchange: None,
            calls: JoinSet::new(),
            sent: 0,
            names: HashMap::new(),
            entries: entries.collect(),
        };
        world.write();
        world
    }

    fn write(&mut self) {
        let entries: Vec<String> = self
            .entries
            .iter()
            .map(|(name, entry)| format!(r#""{name}": {{{entry}}}"#))
            .collect();
        self.sandbox.write(&entries.join(", "));
    }

    async fn step(&mut self) {
        let server = self.dice.pick(&SERVERS);
        match self.dice.roll(14) {
            0..=2 => self.begin().await,
            3..=6 => self.call(),
            7 => self.sandbox.fleet.try_crash(server),
            8 => self.change_list(server),
            9 => self.reconfigure(server),
            10 => {
                let token = ["one", "two"][self.dice.roll(2)];
                self.session
                    .set_environment(environment(&[("TOKEN", token)]));
            }
            11 => {
                let plan = [Plan::Fail("no luck"), Plan::Silent, Plan::EndAfterHandshake]
                    [self.dice.roll(3)]
                .clone();
                self.sandbox.fleet.plan(server, [plan]);
            }
            12 => drop(self.session.refresh(server)),
            _ => sleep(Duration::from_millis(self.dice.roll(400) as u64)).await,
        }
        if self.dice.roll(3) == 0 {
            tokio::task::yield_now().await;
        }
    }

    async fn begin(&mut self) {
        // Calls of the last exchange may still hold it open: then the session refuses a second one.
        self.exchange = None;
        let begun = timeout(Duration::from_secs(1), self.session.begin_exchange())
            .await
            .expect("the wait is bounded");
        let Ok(exchange) = begun else { return };
        let order: Vec<&str> = exchange
            .tools()
            .iter()
            .map(mcp_session::ToolDefinition::name)
            .collect();
        assert!(order.is_sorted(), "{order:?}");
        for tool in exchange.tools() {
            let owner = (
                tool.server().unwrap().to_owned(),
                tool.raw_name().to_owned(),
            );
            let first = self
                .names
                .entry(tool.name().to_owned())
                .or_insert_with(|| owner.clone());
            assert_eq!(*first, owner, "{} changed its tool", tool.name());
        }
        self.exchange = Some(Arc::new(exchange));
    }

    fn call(&mut self) {
        let Some(exchange) = self.exchange.clone() else {
            return;
        };
        if exchange.tools().is_empty() {
            return;
        }
        let name = exchange.tools()[self.dice.roll(exchange.tools().len())]
            .name()
            .to_owned();
        self.sent += 1;
        let arguments = json!({"n": self.sent}).to_string();
        self.calls
            .spawn(async move { exchange.call(&name, &arguments).await });
    }

    fn change_list(&mut self, server: &str) {
        let count = 1 + self.dice.roll(TOOLS.len());
        self.sandbox.fleet.tools(server, &TOOLS[..count]);
        self.sandbox.fleet.try_list_changed(server);
    }

    fn reconfigure(&mut self, server: &'static str) {
        let members = [
            r#""command": "x", "env": {"T": "${TOKEN:-}"}"#,
            r#""command": "y""#,
            r#""command": "x", "exposure": "hidden""#,
            r#""command": "x", "enabled": false"#,
            r#""command": "x", "requestTimeoutMs": 300"#,
            r#""args": []"#,
        ];
        if let Some(entry) = members.get(self.dice.roll(members.len() + 1)) {
            self.entries.insert(server, (*entry).to_owned());
        } else {
            self.entries.remove(server);
        }
        self.write();
    }

    /// Lets everything come to rest and looks at what must hold.
    async fn settle(&mut self) {
        self.exchange = None;
        // Longer than any deadline: each call has an end.
        let ends = async {
            while let Some(result) = self.calls.join_next().await {
                assert!(!result.unwrap().content.is_empty());
            }
        };
        timeout(Duration::from_mins(20), ends)
            .await
            .expect("a call without an end");
        sleep(Duration::from_mins(20)).await;
        let mut ran: Vec<u64> = Vec::new();
        for server in SERVERS {
            ran.extend(
                self.sandbox
                    .fleet
                    .calls(server)
                    .iter()
                    .map(|(_, _, arguments)| arguments["n"].as_u64().unwrap()),
            );
            assert!(
                self.sandbox.fleet.open_connections(server) <= 1,
                "{server} has more than one connection at rest"
            );
        }
        let all = ran.len();
        ran.sort_unstable();
        ran.dedup();
        assert_eq!(ran.len(), all, "a call ran twice");
    }
}

async fn play(seed: u64) {
    let mut world = World::new(seed);
    for round in 0..4 {
        for _ in 0..40 {
            world.step().await;
        }
        if round < 3 {
            world.settle().await;
        }
    }
    // The end comes in the middle of everything.
    let report = timeout(Duration::from_secs(30), world.session.close())
        .await
        .expect("closing is bounded");
    assert!(report.servers.is_sorted_by(|a, b| a.server <= b.server));
    world.settle().await;
    for server in SERVERS {
        assert_eq!(
            world.sandbox.fleet.open_connections(server),
            0,
            "{server} outlives its session"
        );
    }
}

#[test]
fn random_histories_keep_every_promise() {
    for seed in 0..20 {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            runtime.block_on(play(seed));
        }));
        assert!(outcome.is_ok(), "seed {seed}");
    }
}
