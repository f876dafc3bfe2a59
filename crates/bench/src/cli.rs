//! The command line: which suites, how often, where the figures go.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};

use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::report::{Measured, Report};
use crate::sample::{self, Core, Plan};
use crate::suite::{self, Suite};
use crate::{foreign, page, versions};

/// Measures this project's client beside rmcp's and beside a bare loop, over the same server, in
/// the same run.
#[derive(Parser)]
#[command(name = "mcp-bench", version, after_help = suites_help(), args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// The suites to run; all of them if none is named.
    #[arg(value_name = "SUITE", value_parser = names(), hide_possible_values = true)]
    suites: Vec<String>,

    /// How often each row is measured; the median is reported.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,

    /// The core on which pinned measurements run, client and server together.
    #[arg(long, value_name = "N", default_value_t = 0)]
    core: usize,

    /// Measures the clients in other languages too, which scripts/bench-peers.sh installs.
    #[arg(long)]
    compare: bool,

    /// A file for all figures as JSON. Suites that it holds and that are not measured now stay in it.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Puts the figures of a file into the page of results, and draws its plot.
    Page(page::Arguments),
}

/// Runs what the command line asks for.
pub(crate) fn run() -> Outcome<()> {
    let arguments = Arguments::parse();
    match arguments.command {
        Some(Command::Page(arguments)) => page::run(&arguments),
        None => measure(&arguments),
    }
}

fn measure(arguments: &Arguments) -> Outcome<()> {
    let chosen = |suite: &&Suite| arguments.suites.iter().any(|name| name == suite.name);
    let suites = suite::all().filter(|suite| arguments.suites.is_empty() || chosen(suite));
    let plan = Plan {
        rounds: arguments.runs.into(),
        core: Core::Only(arguments.core),
        foreign: arguments.compare,
    };
    let mut report = Report {
        machine: Machine::read(),
        versions: versions::own(),
        suites: match &arguments.json {
            Some(file) if file.exists() => Report::read(file)?.suites,
            _ => Vec::new(),
        },
    };
    match foreign::versions() {
        Ok(installed) => report.versions.extend(installed),
        Err(error) if plan.foreign => return Err(error),
        Err(_) => {}
    }

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
            Ok(taken) => {
                let measured = Measured::new(suite, &plan, &taken);
                write!(out, "{}", measured.to_text())?;
                report.put(measured);
            }
            Err(error) => {
                writeln!(out, "\n{}: not measured: {error}", suite.name)?;
                failed.push(suite.name);
            }
        }
        out.flush()?;
        // What is measured is kept, whatever becomes of the rest.
        if let Some(file) = &arguments.json {
            report.write(file)?;
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("not measured: {}", failed.join(", ")).into())
    }
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(suite::all().map(|suite| suite.name))
}

fn suites_help() -> String {
    let lines = suite::all().map(|suite| format!("\n  {:<19} {}", suite.name, suite.about));
    format!("Suites:{}", lines.collect::<String>())
}
