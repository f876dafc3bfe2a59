//! What the torture test and its host program share: chance from a seed, servers of several kinds,
//! and a worker that connects, calls and ends, over and over.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "whatever goes wrong here is what the test is for"
)]

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

use mcp_transport::process::ProcessSpec;
use mcp_transport::{CallOptions, Connection, Events, Options, RequestError};
use serde_json::value::RawValue;

/// Nothing takes this long unless it hangs; shorter than any deadline of the connection itself.
pub(crate) const HANG: Duration = Duration::from_secs(25);

/// The variable by which a server of a host is known.
const MARK: &str = "TORTURE_MARK";

/// Chance that can be repeated: splitmix64.
#[derive(Clone)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(crate) fn millis(&mut self, bound: u64) -> Duration {
        Duration::from_micros(self.below(bound * 1000))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the length of the run is the caller's, and there is no other way to hand it to a test"
)]
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

pub(crate) fn seed() -> u64 {
    let seed = setting("TORTURE_SEED", RandomState::new().hash_one(0));
    println!("TORTURE_SEED={seed}");
    seed
}

/// The live processes that carry a mark: the group of each, and what the system says of it.
///
/// They are not found by their groups, whose ids come round.
pub(crate) fn marked(mark: &str) -> Vec<(i32, String)> {
    let variable = format!("{MARK}={mark}");
    let carries = |path: &Path| {
        let environment = fs::read(path.join("environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|entry| entry == variable.as_bytes())
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter(|entry| carries(&entry.path()))
        .filter_map(|entry| {
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            let fields = stat.rsplit(") ").next()?;
            let group = fields.split(' ').nth(2)?.parse().ok()?;
            Some((group, stat))
        })
        .collect()
}

/// Cargo builds the examples beside the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let this = std::env::current_exe().unwrap();
    let profile = this.ancestors().find(|path| path.join("examples").is_dir());
    let program = profile.unwrap().join("examples").join(name);
    assert!(program.exists(), "{} is not built", program.display());
    program
}

/// A server that answers calls at once or late.
const POLITE: &str = r#"{ "tools": [{ "name": "now", "inputSchema": { "type": "object" } },
    { "name": "late", "inputSchema": { "type": "object" } }],
    "calls": { "now": { "text": "done" }, "late": [{ "sleepMs": 5 }, { "text": "done" }] } }"#;

/// The same, deaf to the end of input and to SIGTERM, with a child that is no better.
const STUBBORN: &str = r#"{ "tools": [{ "name": "now", "inputSchema": { "type": "object" } },
    { "name": "late", "inputSchema": { "type": "object" } }],
    "calls": { "now": { "text": "done" }, "late": [{ "sleepMs": 5 }, { "text": "done" }] },
    "rules": [{ "when": "eof", "do": [] }, { "when": "SIGTERM", "do": [] },
      { "when": "start", "do": { "spawn": { "name": "child", "ignore": ["SIGTERM", "SIGHUP"],
        "hold": ["stdout", "stderr"] } } }] }"#;

/// A server of a kind that chance picks: alone, stubborn, or behind a launcher that waits. The mark
/// is in its environment, by which it is found whatever becomes of its host.
fn server(chance: &mut Chance, mark: &str) -> ProcessSpec {
    let script = [POLITE, STUBBORN][usize::from(chance.below(3) == 0)];
    let program = example("fixture-server");
    let path = [("PATH", "/usr/bin:/bin"), (MARK, mark)];
    if chance.below(3) == 0 {
        return ProcessSpec::new("/bin/sh", "/")
            .args(["-c", "\"$0\" --script-json \"$1\" <&0 & wait"])
            .args([program.into_os_string(), script.into()])
            .env(path);
    }
    ProcessSpec::new(program, Path::new("/"))
        .args(["--script-json", script])
        .env(path)
}

/// What became of the calls of one worker.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) connects: u64,
    pub(crate) failed_connects: u64,
    pub(crate) answered: u64,
    pub(crate) lost: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Self) {
        self.connects += other.connects;
        self.failed_connects += other.failed_connects;
        self.answered += other.answered;
        self.lost += other.lost;
    }
}

/// Connects once, calls for a while, and ends the connection in one of the possible ways.
pub(crate) async fn one_life(
    chance: &mut Chance,
    mark: &str,
    tally: &mut Tally,
    connected: impl Fn(u32),
) {
    tally.connects += 1;
    let connecting = Connection::stdio(server(chance, mark), Options::default());
    let given_up = chance.millis(15);
    if chance.below(8) == 0 {
        // A host that loses interest while it connects.
        let _ = tokio::time::timeout(given_up, connecting).await;
        return;
    }
    let Ok(outcome) = tokio::time::timeout(HANG, connecting).await else {
        panic!("a connect had no outcome");
    };
    let Ok((connection, events)) = outcome else {
        tally.failed_connects += 1;
        return;
    };
    connected(connection.process_id().unwrap());
    calls(&connection, chance, tally).await;
    end(connection, events, chance).await;
}

async fn calls(connection: &Connection, chance: &mut Chance, tally: &mut Tally) {
    let arguments = RawValue::from_string(String::from("{}")).unwrap();
    for _ in 0..chance.below(6) {
        let call = async |name: &str| {
            let call = connection.call_tool(name, &arguments, CallOptions::new());
            tokio::time::timeout(HANG, call).await
        };
        let (now, late) = tokio::join!(call("now"), call("late"));
        for outcome in [now, late] {
            let Ok(outcome) = outcome else {
                panic!("a call had no answer");
            };
            match outcome {
                Ok(_) => tally.answered += 1,
                // Known to be lost, and told so: that is an answer.
                Err(RequestError::Dropped { .. }) => tally.lost += 1,
                Err(error) => panic!("a call ended in an odd way: {error:?}"),
            }
        }
    }
}

async fn end(connection: Connection, events: Events, chance: &mut Chance) {
    match chance.below(3) {
        0 => drop((connection, events)),
        1 => {
            let _ = tokio::time::timeout(chance.millis(10), connection.close()).await;
        }
        _ => {
            let closed = tokio::time::timeout(HANG, connection.close()).await;
            assert!(closed.is_ok(), "a close had no end");
        }
    }
}
