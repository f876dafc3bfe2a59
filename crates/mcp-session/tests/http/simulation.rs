//! Random histories over HTTP, each from a seed: sessions that expire at any time and in each of the
//! ways in which servers say so, beside calls, losses, refused credentials, other settings, and the
//! end. It is played on loopback and in real time, since only HTTP has sessions that expire. Whatever
//! happens: a call is sent once more only where an expired session refused it, and none runs twice;
//! each call ends; at rest there is at most one session, at the end none.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mcp_session::{Exchange, ServerState, Session, ToolResult};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::dice::Dice;
use crate::server::{Fate, Meets, Server};
use crate::{session, write};

const SEEDS: u64 = 4;
const NAME: &str = "mcp__web__run";

struct World {
    dice: Dice,
    folder: tempfile::TempDir,
    server: Server,
    session: Session,
    exchange: Option<Arc<Exchange>>,
    calls: JoinSet<(u64, ToolResult)>,
    sent: u64,
    results: BTreeMap<u64, ToolResult>,
}

impl World {
    async fn new(seed: u64) -> World {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start().await;
        let session = session(folder.path(), &server);
        World {
            dice: Dice(seed),
            folder,
            server,
            session,
            exchange: None,
            calls: JoinSet::new(),
            sent: 0,
            results: BTreeMap::new(),
        }
    }

    async fn step(&mut self) {
        match self.dice.roll(12) {
            0 | 1 => self.begin().await,
            2..=5 => self.call(),
            6 => self.server.expire(),
            7 => self.plan(),
            8 => self.server.open(),
            9 => self.reconfigure(),
            10 => drop(self.session.refresh("web")),
            _ => self.one_call_ends().await,
        }
        for _ in 0..self.dice.roll(20) {
            tokio::task::yield_now().await;
        }
    }

    async fn begin(&mut self) {
        // Calls of the last exchange may still hold it open: then the session refuses a second one.
        self.exchange = None;
        self.exchange = self.session.begin_exchange().await.ok().map(Arc::new);
    }

    fn call(&mut self) {
        let Some(exchange) = self.exchange.clone() else {
            return;
        };
        self.sent += 1;
        let number = self.sent;
        self.calls.spawn(async move {
            let arguments = json!({"n": number}).to_string();
            (number, exchange.call(NAME, &arguments).await)
        });
    }

    fn plan(&mut self) {
        let kinds = [
            &Meets::Expiry,
            &Meets::ExpiryAsBadRequest,
            &Meets::ExpiryAsText,
            &Meets::Refusal,
            &Meets::Loss,
            &Meets::Gate,
        ];
        for _ in 0..=self.dice.roll(3) {
            self.server.plan([*self.dice.pick(&kinds)]);
        }
    }

    fn reconfigure(&mut self) {
        let mut entry = json!({"url": self.server.url()});
        let (member, value) = [
            ("headers", json!({"X-Of": "one"})),
            ("headers", json!({"X-Of": "two"})),
            ("requestTimeoutMs", json!(50_000)),
            ("enabled", json!(false)),
            ("exposure", json!("hidden")),
        ][self.dice.roll(5)]
        .clone();
        entry[member] = value;
        write(self.folder.path(), &entry);
    }

    /// Waits until one call has ended, if any runs.
    async fn one_call_ends(&mut self) {
        let wanted = self.results.len() + 1;
        while !self.calls.is_empty() && self.results.len() < wanted {
            // One may have come to the gate just now.
            self.server.open();
            let ended = timeout(Duration::from_millis(20), self.calls.join_next()).await;
            if let Ok(Some(ended)) = ended {
                let (number, result) = ended.unwrap();
                self.results.insert(number, result);
            }
        }
    }

    /// Lets everything come to rest and looks at what must hold.
    async fn settle(&mut self) {
        self.exchange = None;
        while !self.calls.is_empty() {
            self.one_call_ends().await;
        }
        let mut changes = self.session.changes();
        while self.connects() {
            changes.next().await;
        }
        for (number, fates) in self.server.arrivals() {
            let (last, before) = fates.split_last().unwrap();
            assert!(
                fates.len() <= 2 && before.iter().all(|fate| *fate == Fate::Expired),
                "call {number} arrived again after {before:?}"
            );
            let result = &self.results[&number];
            assert!(!result.content.is_empty(), "call {number}");
            assert!(
                result.is_error || *last == Fate::Ran,
                "call {number} has a result and was {last:?}"
            );
        }
    }

    fn connects(&self) -> bool {
        let statuses = self.session.status();
        let state = |state| statuses.iter().any(|status| status.state == state);
        state(ServerState::Connecting) || state(ServerState::Stopping)
    }
}

async fn play(seed: u64) {
    let mut world = World::new(seed).await;
    for _ in 0..3 {
        for _ in 0..30 {
            world.step().await;
        }
        world.settle().await;
    }
    world.begin().await;
    for _ in 0..8 {
        world.call();
        tokio::task::yield_now().await;
    }
    // The end comes while calls run.
    world.session.close().await;
    world.settle().await;
    let left = world.server.living();
    assert!(left.is_empty(), "{left:?} are left");
    assert!(world.session.begin_exchange().await.is_err());
}

#[test]
fn random_histories_of_expiring_sessions_keep_every_promise() {
    for seed in 0..SEEDS {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let play = async { timeout(Duration::from_mins(1), play(seed)).await };
            runtime.block_on(play).expect("something has no end");
        }));
        assert!(outcome.is_ok(), "seed {seed}");
    }
}
