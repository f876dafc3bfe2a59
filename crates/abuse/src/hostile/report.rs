//! What one attack came to, as its host tells it, and what of that must not be.

use serde::{Deserialize, Serialize};

use super::attacks::Attack;

/// The least that the good servers keep of their speed. Attacker and host share the processors with them,
/// so this is no measure of speed: it tells slow from stopped.
const LEAST_SPEED: f64 = 0.005;
/// The longest that one good call may wait. The three calls of an attack may each bring a message of the largest
/// size, which is taken apart in one piece, on a machine that is busy with the attack itself.
const LONGEST_WAIT_MS: u64 = 20_000;
/// How long the end of the session may take: the ladder of signals, and a little.
const LONGEST_CLOSE_MS: u64 = 10_000;
/// Bytes in a MiB.
const MIB: u64 = 1024 * 1024;

/// What a host under one attack saw.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Report {
    /// What the host said of the bad server: the results of its calls, or why it has none; then notes.
    pub(super) did: String,
    /// The most memory beside what was used before, in bytes.
    pub(super) growth: u64,
    /// Calls a second of the good servers before the attack and during it.
    pub(super) before: f64,
    pub(super) during: f64,
    /// The slowest good call during the attack.
    pub(super) slowest_ms: u64,
    /// What was wrong with answers of the good servers.
    pub(super) wrong: Vec<String>,
    /// How long the end of the session took.
    pub(super) close_ms: u64,
    /// Processes that were left.
    pub(super) left: Vec<String>,
}

impl Report {
    /// The speed of the good servers during the attack, of that before.
    pub(super) fn ratio(&self) -> f64 {
        if self.before > 0.0 {
            self.during / self.before
        } else {
            0.0
        }
    }

    /// The growth in whole MiB, rounded up.
    pub(super) fn growth_mib(&self) -> u64 {
        self.growth.div_ceil(MIB)
    }

    /// What must not be.
    pub(super) fn faults(&self, attack: &Attack) -> Vec<String> {
        let mut faults = Vec::new();
        if !self.did.contains(attack.ends) {
            faults.push(format!("expected the host to say \"{}\"", attack.ends));
        }
        if self.growth_mib() > attack.bound_mib {
            let (growth, bound) = (self.growth_mib(), attack.bound_mib);
            faults.push(format!("{growth} MiB are more than {bound} MiB"));
        }
        if self.ratio() < LEAST_SPEED {
            faults.push(format!(
                "the good servers kept {:.3} of their speed",
                self.ratio()
            ));
        }
        if self.slowest_ms > LONGEST_WAIT_MS {
            faults.push(format!("a good call waited {} ms", self.slowest_ms));
        }
        if self.close_ms > LONGEST_CLOSE_MS {
            faults.push(format!("the session took {} ms to end", self.close_ms));
        }
        faults.extend(
            self.wrong
                .iter()
                .map(|text| format!("a good server: {text}")),
        );
        faults.extend(self.left.iter().map(|text| format!("left: {text}")));
        faults
    }
}
