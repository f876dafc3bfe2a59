//! What the gate measures.

use super::baseline::Baseline;
use crate::outcome::Outcome;
use crate::sample;
use crate::suite::{Method, Row};

const INSTRUCTIONS: &str = "instructions";
const ALLOCATIONS: &str = "allocations";
const CALLS: Method = Method::Callgrind {
    short: 100,
    each: 1,
};

/// What is counted, and how.
const COUNTED: [(Method, Row); 6] = [
    (CALLS, call("stdio call", "ours")),
    (CALLS, call("stdio call, stateless", "ours-stateless")),
    (CALLS, call("HTTP call", "http-ours")),
    (CALLS, call("HTTP call, stateless", "http-ours-stateless")),
    (CALLS, call("session call", "session")),
    (
        Method::Callgrind {
            short: 1,
            each: 1_000,
        },
        Row {
            label: "listed tool",
            subject: "ours",
            workload: "list:1000",
            count: 3,
            against: &[],
        },
    ),
];

const fn call(label: &'static str, subject: &'static str) -> Row {
    Row {
        label,
        subject,
        workload: "counted",
        count: 600,
        against: &[],
    }
}

/// Counts allocations in each measured process, and instructions by valgrind.
pub(super) fn measure(instructions: bool) -> Outcome<Baseline> {
    let mut measured = Baseline::default();
    for (method, row) in &COUNTED {
        let mut take = |method, metric| {
            let sample = sample::measure(method, row, sample::Core::Any)?;
            let figure = sample.get(metric).copied();
            let figure =
                figure.ok_or_else(|| format!("{}: no {metric} were counted", row.label))?;
            measured.put(row.label, metric, figure);
            Outcome::Ok(())
        };
        take(Method::Pinned, ALLOCATIONS)?;
        if instructions {
            take(*method, INSTRUCTIONS).map_err(|error| {
                format!("{error}\n(--allocations-only does without instructions)")
            })?;
        }
    }
    Ok(measured)
}
