//! What the hosts told, and the comparison with what the servers noted.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::life::{Ending, ID_STRIDE, Life};
use super::line::{ANSWERED, Line, Runs, runs};
use crate::fleet::Folder;
use crate::outcome::Outcome;

/// So many faults are shown; a broken promise is broken often.
const SHOWN: usize = 20;
/// Chaos that lets most calls fail would prove nothing.
const LEAST_ANSWERED_PERCENT: u64 = 50;

/// Everything that was told.
#[derive(Default)]
pub(super) struct Ledger {
    /// What the ends of calls say about their runs, by the id of the call.
    ends: HashMap<u64, Runs>,
    /// How many calls ended in which way.
    tally: BTreeMap<String, u64>,
    /// Every name that was ever shown, and what it was the name of.
    names: HashMap<String, (String, String)>,
    faults: Vec<String>,
    fault_count: usize,
    /// Calls that servers ran.
    ran: HashSet<u64>,
}

impl Ledger {
    pub(super) fn calls(&self) -> u64 {
        self.ends.len() as u64
    }

    pub(super) fn faults(&self) -> &[String] {
        &self.faults
    }

    pub(super) fn fault(&mut self, text: String) {
        self.fault_count += 1;
        if self.faults.len() < SHOWN {
            self.faults.push(text);
        }
    }

    /// Keeps a line of a host.
    pub(super) fn keep(&mut self, host: u64, line: Line) {
        match line {
            Line::Ended { id, end } => self.ended(id, &end),
            Line::Fault(text) => self.fault(format!("host {host}: {text}")),
            Line::Name { name, server, tool } => {
                let owner = (server, tool);
                let first = self
                    .names
                    .entry(name.clone())
                    .or_insert_with(|| owner.clone());
                if *first != owner {
                    let text = format!("{name} was the name of {first:?}, now of {owner:?}");
                    self.fault(text);
                }
            }
            Line::Over(_) => {}
        }
    }

    fn ended(&mut self, id: u64, end: &str) {
        *self.tally.entry(end.to_owned()).or_default() += 1;
        let Some(runs) = runs(end) else {
            return self.fault(format!(
                "call {id} ended as {end}, for which there is no reason"
            ));
        };
        if self.ends.insert(id, runs).is_some() {
            self.fault(format!("call {id} ended twice"));
        }
    }

    /// Holds what the hosts told against what the servers noted.
    pub(super) fn compare(&mut self, folder: &Folder, lives: &[Life]) -> Outcome<()> {
        let mut found = Vec::new();
        folder.notes(|server, note| {
            let Some(id) = note.get("id").and_then(Value::as_u64) else {
                return found.push(format!("{server} noted {note}"));
            };
            if !self.ran.insert(id) {
                found.push(format!("call {id} ran twice, the second time on {server}"));
            }
        })?;
        let ran = |id: &u64| self.ran.contains(id);
        for (id, runs) in &self.ends {
            match runs {
                Runs::Once if !ran(id) => {
                    found.push(format!("call {id} was answered and never ran"));
                }
                Runs::Never if ran(id) => {
                    found.push(format!("call {id} was told not to have run, and ran"));
                }
                _ => {}
            }
        }
        for id in self.ran.iter().filter(|id| !self.ends.contains_key(id)) {
            // Only the death of a host excuses a call without an end.
            let life = usize::try_from(id / ID_STRIDE)
                .ok()
                .and_then(|life| lives.get(life));
            if life.is_none_or(|life| life.ending != Ending::Killed) {
                found.push(format!("call {id} ran, and its end was never told"));
            }
        }
        for text in found {
            self.fault(text);
        }
        let answered = self.tally.get(ANSWERED).copied().unwrap_or_default();
        if answered * 100 < self.calls() * LEAST_ANSWERED_PERCENT {
            self.fault(format!(
                "only {answered} of {} calls were answered",
                self.calls()
            ));
        }
        Ok(())
    }

    /// The summary's lines about calls.
    pub(super) fn summary(&self) -> String {
        let ends: Vec<String> = self
            .tally
            .iter()
            .map(|(end, count)| format!("{end} {count}"))
            .collect();
        let more = self.fault_count - self.faults.len();
        let faults: Vec<String> = self
            .faults
            .iter()
            .map(|fault| format!("fault: {fault}\n"))
            .collect();
        let faults = faults.concat();
        format!(
            "calls that ended: {} ({})\ncalls that servers ran: {}; names: {}\n{faults}faults: {}{}\n",
            self.calls(),
            ends.join(", "),
            self.ran.len(),
            self.names.len(),
            self.fault_count,
            if more > 0 {
                format!(" ({more} not shown)")
            } else {
                String::new()
            },
        )
    }
}
