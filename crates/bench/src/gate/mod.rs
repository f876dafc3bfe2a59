//! The regression gate: figures that do not depend on the machine, against the recorded ones.

mod baseline;
mod figures;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Parser;

use self::baseline::{Baseline, Verdict};
use crate::outcome::Outcome;

/// The one command that records what is measured now, for builds of this kind.
const ACCEPT: &str = if cfg!(debug_assertions) {
    "cargo run -p mcp-bench --bin mcp-bench-gate -- --accept"
} else {
    "cargo run --release -p mcp-bench --bin mcp-bench-gate -- --accept"
};

/// Fails where a call or a listed tool costs more than ten per cent above the recorded baseline, in
/// instructions or in heap allocations of the client. Builds with and without optimisation have records of their own.
#[derive(Parser)]
#[command(name = "mcp-bench-gate")]
struct Arguments {
    /// Records what is measured as the new baseline.
    #[arg(long)]
    accept: bool,

    /// The file that holds the baseline.
    #[arg(long, value_name = "FILE", default_value = baseline::FILE)]
    baseline: PathBuf,

    /// Does without instructions, and so without valgrind.
    #[arg(long)]
    allocations_only: bool,
}

/// Runs what the command line asks for.
pub(crate) fn run() -> Outcome<()> {
    let arguments = Arguments::parse();
    let measure = || figures::measure(!arguments.allocations_only);
    let mut out = io::stdout().lock();
    if arguments.accept {
        measure()?.write(&arguments.baseline)?;
        writeln!(out, "recorded in {}", arguments.baseline.display())?;
        return Ok(());
    }
    let recorded = Baseline::read(&arguments.baseline)?;
    let measured = measure()?;
    let verdicts: Vec<Verdict> = recorded.judge(&measured).collect();
    for verdict in &verdicts {
        writeln!(out, "{verdict}")?;
    }
    if verdicts.iter().any(Verdict::is_far_below) {
        writeln!(out, "\nWhat fell can be kept: {ACCEPT}")?;
    }
    let above: Vec<String> = verdicts
        .iter()
        .filter(|verdict| verdict.fails())
        .map(|verdict| format!("\n  {verdict}"))
        .collect();
    if above.is_empty() {
        return Ok(());
    }
    Err(format!(
        "above the baseline by more than ten per cent:{}\nIf that is meant, move the baseline and \
         commit it with the reason:\n  {ACCEPT}",
        above.concat()
    )
    .into())
}
