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

/// What the rounds gave for one row.
pub(crate) struct Taken {
    pub(crate) row: &'static Row,
    /// One a round; of the rounds before the failure, if there was one.
    pub(crate) samples: Vec<Sample>,
    /// Why a client in another language could not be measured: that is a result too.
    pub(crate) failure: Option<String>,
}

/// How measurements are taken.
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    pub(crate) core: Core,
    /// Clients in other languages are measured too.
    pub(crate) foreign: bool,
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
pub(crate) fn take(suite: &Suite, plan: &Plan) -> Outcome<Vec<Taken>> {
    let rows = suite
        .rows
        .iter()
        .filter(|row| plan.foreign || !row.is_foreign());
    let mut taken: Vec<Taken> = rows
        .map(|row| Taken {
            row,
            samples: Vec::new(),
            failure: None,
        })
        .collect();
    for _ in 0..suite.rounds(plan.rounds) {
        for taken in taken.iter_mut().filter(|taken| taken.failure.is_none()) {
            let row = taken.row;
            match measure(suite.method, row, plan.core) {
                Ok(sample) => taken.samples.push(sample),
                Err(error) if row.is_foreign() => taken.failure = Some(error.to_string()),
                Err(error) => return Err(format!("{}: {error}", row.label).into()),
            }
        }
    }
    Ok(taken)
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
        .output()?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        // The last line says it; what stands before is a stack or a log.
        let last = told.lines().last().unwrap_or_default();
        return Err(format!("{last} ({})", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
