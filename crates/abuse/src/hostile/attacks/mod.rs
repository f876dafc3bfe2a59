//! The attacks: each a fixture script, with what must come of it.
#![expect(
    clippy::needless_pass_by_value,
    reason = "a script is built from the inside out, of values that nobody else needs"
)]

mod answers;
mod floods;
mod http;
mod lists;

use serde_json::{Value, json};

use crate::fleet::Transport;

/// The name of the bad server; its tool is `attack`.
pub(super) const BAD: &str = "bad";

/// One way to be a bad server.
#[derive(Debug, Clone)]
pub(super) struct Attack {
    pub(super) name: &'static str,
    /// What the server does, for a person.
    pub(super) about: &'static str,
    pub(super) transport: Transport,
    pub(super) script: fn() -> Value,
    /// Bytes in the arguments of each call.
    pub(super) argument: usize,
    /// How long the host waits for the server, to start and to answer, in milliseconds.
    pub(super) patience_ms: u64,
    /// What the host must say of it in the end, among other things.
    pub(super) ends: &'static str,
    /// The most memory that the host may need beside what it had, in MiB.
    pub(super) bound_mib: u64,
}

/// What a host may need for what is never more than a few small messages at a time.
const SMALL: u64 = 32;
/// For messages of the largest size, several at a time: the call's three, in what the connection read, in what
/// the host was given, and in what was taken apart.
const LARGE: u64 = 128;

/// For a server that comes to an end of its own.
const PATIENT_MS: u64 = 40_000;
/// For one that does not.
const IMPATIENT_MS: u64 = 3_000;

impl Attack {
    fn stdio(name: &'static str, about: &'static str, script: fn() -> Value) -> Attack {
        Attack {
            name,
            about,
            transport: Transport::Stdio,
            script,
            argument: 0,
            patience_ms: PATIENT_MS,
            ends: "answered",
            bound_mib: SMALL,
        }
    }

    fn http(name: &'static str, about: &'static str, script: fn() -> Value) -> Attack {
        Attack {
            transport: Transport::Http,
            ..Attack::stdio(name, about, script)
        }
    }

    /// An attack that only a deadline ends.
    fn times_out(self) -> Attack {
        Attack {
            patience_ms: IMPATIENT_MS,
            ..self.ends("no answer to tools/call within")
        }
    }

    fn ends(self, ends: &'static str) -> Attack {
        Attack { ends, ..self }
    }

    fn large(self) -> Attack {
        Attack {
            bound_mib: LARGE,
            ..self
        }
    }
}

/// Every attack.
pub(super) fn all() -> Vec<Attack> {
    let mut all = floods::attacks();
    all.extend(lists::attacks());
    all.extend(answers::attacks());
    all.extend(http::attacks());
    all
}

/// A server whose tool plays these steps.
fn tool(steps: Value) -> Value {
    json!({
        "tools": [definition()],
        "calls": { "attack": steps },
    })
}

fn definition() -> Value {
    json!({ "name": "attack", "inputSchema": { "type": "object" } })
}

/// These steps over and over.
fn forever(steps: Value) -> Value {
    json!({ "repeat": { "times": u64::MAX, "do": steps } })
}

/// The same, while the server goes on reading.
fn beside(steps: Value) -> Value {
    json!({ "background": [forever(steps)] })
}
