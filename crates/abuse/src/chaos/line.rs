//! What a host tells the run, one JSON line for each thing.

use serde::{Deserialize, Serialize};

/// One line of a host's standard output.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Line {
    /// A name that the host has given and saved.
    Name {
        name: String,
        server: String,
        tool: String,
    },
    /// A call has its end.
    Ended { id: u64, end: String },
    /// The host saw something that must not be.
    Fault(String),
    /// The host has ended in order.
    Over(Over),
}

/// What a host did that ended in order.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Over {
    pub(super) begun: u64,
    pub(super) exchanges: u64,
    pub(super) edits: u64,
    pub(super) signals: u64,
    pub(super) refreshes: u64,
    pub(super) rests: u64,
}

/// An answer of the server, and the right one.
pub(super) const ANSWERED: &str = "answered";
/// The host itself gave the call up.
pub(super) const GIVEN_UP: &str = "given-up";

/// How often a call that ended so may have run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    Once,
    AtMostOnce,
    Never,
}

/// What an end says about the run of the call; nothing for an end that chaos gives no reason for.
pub(super) fn runs(end: &str) -> Option<Runs> {
    match end {
        ANSWERED => Some(Runs::Once),
        GIVEN_UP | "lost" | "timed-out" | "cancelled" | "closed" | "server-error" => {
            Some(Runs::AtMostOnce)
        }
        "unknown-tool" | "hidden-tool" | "withdrawn" | "refused-arguments" | "unavailable"
        | "session-expired" => Some(Runs::Never),
        _ => None,
    }
}
