//! Taking the figures of a suite: its rows in turn, round after round, so that what else the
//! machine does falls on all of them alike.

use std::collections::BTreeMap;
use std::env;
use std::process::{Command, Stdio};

use crate::callgrind;
use crate::outcome::Outcome;
use crate::suite::{Method, Row, Suite};
use crate::workload;

/// The figures of one measurement, by metric.
pub(crate) type Sample = BTreeMap<String, f64>;

/// The samples of each row, in the order of the rows; the samples of one round have the same index.
pub(crate) type Samples = Vec<Vec<Sample>>;

/// How measurements are taken.
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    pub(crate) core: Core,
}

/// Where client and server run.
#[derive(Clone, Copy)]
pub(crate) enum Core {
    /// Wherever the system likes.
    Any,
    /// Both on this one.
    Only(usize),
}

impl Core {
    fn argument(self) -> String {
        match self {
            Self::Any => workload::ANY_CORE.to_owned(),
            Self::Only(core) => core.to_string(),
        }
    }
}

/// Measures each row once a round.
pub(crate) fn take(suite: &Suite, plan: &Plan) -> Outcome<Samples> {
    let mut samples = vec![Vec::new(); suite.rows.len()];
    for _ in 0..rounds(suite, plan) {
        for (row, taken) in suite.rows.iter().zip(&mut samples) {
            let sample = measure(suite.method, row, plan.core)
                .map_err(|error| format!("{}: {error}", row.label))?;
            taken.push(sample);
        }
    }
    Ok(samples)
}

/// Counted figures hardly differ between runs, and take long.
fn rounds(suite: &Suite, plan: &Plan) -> usize {
    match suite.method {
        Method::Callgrind { .. } => 1,
        Method::Pinned | Method::Unpinned => plan.rounds,
    }
}

/// Measures a row once.
pub(crate) fn measure(method: Method, row: &Row, core: Core) -> Outcome<Sample> {
    match method {
        Method::Pinned => run(&arguments(core, row, row.count)),
        Method::Unpinned => run(&arguments(Core::Any, row, row.count)),
        Method::Callgrind { short, each } => {
            let fewer = callgrind::count(&arguments(core, row, short))?;
            let more = callgrind::count(&arguments(core, row, row.count))?;
            let times = f64::from(u32::try_from(row.count - short)?) * f64::from(each);
            Ok(more
                .into_iter()
                .map(|(name, total)| {
                    let before = fewer.get(&name).copied().unwrap_or_default();
                    (name, (total - before) / times)
                })
                .collect())
        }
    }
}

/// The arguments with which this command measures one row.
fn arguments(core: Core, row: &Row, count: usize) -> [String; 5] {
    [
        workload::COMMAND,
        &core.argument(),
        row.subject,
        row.workload,
        &count.to_string(),
    ]
    .map(str::to_owned)
}

fn run(arguments: &[String]) -> Outcome<Sample> {
    let output = Command::new(env::current_exe()?)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("the measuring process failed ({})", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
