//! The command line: which suites, how often, where the figures go.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Parser;

use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::report::{Measured, Report};
use crate::sample::{self, Core, Plan};
use crate::suite::{SUITES, Suite};

/// Measures this project's client beside rmcp's and beside a bare loop, over the same server, in
/// the same run.
#[derive(Parser)]
#[command(name = "mcp-bench", after_help = suites_help())]
struct Arguments {
    /// The suites to run; all of them if none is named.
    suites: Vec<String>,

    /// How often each row is measured; the median is reported.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,

    /// The core on which pinned measurements run, client and server together.
    #[arg(long, value_name = "N", default_value_t = 0)]
    core: usize,

    /// A file for all figures as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs what the command line asks for.
pub(crate) fn run() -> Outcome<()> {
    let arguments = Arguments::parse();
    let suites = select(&arguments.suites)?;
    let plan = Plan {
        rounds: arguments.runs.into(),
        core: Core::Only(arguments.core),
    };
    let mut report = Report {
        machine: Machine::read(),
        rounds: plan.rounds,
        suites: Vec::new(),
    };

    let mut out = io::stdout().lock();
    writeln!(out, "{}", report.machine.describe())?;
    writeln!(
        out,
        "medians of {} interleaved runs (lowest to highest)",
        plan.rounds
    )?;
    let mut failed = Vec::new();
    for suite in suites {
        // One suite that cannot be measured, say for want of valgrind, must not cost the others.
        match sample::take(suite, &plan) {
            Ok(samples) => {
                let measured = Measured::new(suite, &samples);
                write!(out, "{}", measured.to_text())?;
                report.suites.push(measured);
            }
            Err(error) => {
                writeln!(out, "\n{}: not measured: {error}", suite.name)?;
                failed.push(suite.name);
            }
        }
        out.flush()?;
    }
    if let Some(file) = arguments.json {
        let text = format!("{}\n", serde_json::to_string_pretty(&report)?);
        fs::write(&file, text)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("not measured: {}", failed.join(", ")).into())
    }
}

fn select(names: &[String]) -> Outcome<Vec<&'static Suite>> {
    if names.is_empty() {
        return Ok(SUITES.iter().collect());
    }
    let find = |name: &String| {
        let found = SUITES.iter().find(|suite| suite.name == name);
        found.ok_or_else(|| format!("there is no suite {name:?}\n\n{}", suites_help()).into())
    };
    names.iter().map(find).collect()
}

fn suites_help() -> String {
    let lines = SUITES
        .iter()
        .map(|suite| format!("\n  {:<19} {}", suite.name, suite.about));
    format!("Suites:{}", lines.collect::<String>())
}
