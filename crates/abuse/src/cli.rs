//! The command line.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::chaos::{self, ChaosArguments, HostArguments};
use crate::hostile::{self, HostileArguments, VictimArguments};
use crate::outcome::{Outcome, Verdict};
use crate::soak::{self, SoakArguments};

/// Attacks the MCP host runtime, over real servers, in ways that anyone can repeat.
///
/// Exits with 0 if every promise was kept, with 1 if one was broken, with 2 if the run could not be made.
#[derive(Debug, Parser)]
#[command(name = "mcp-abuse", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Crashes, expiries, list changes, reconfigurations and host kills at random.
    Chaos(ChaosArguments),
    /// Very many calls: memory, descriptors, tasks and processes must stay flat.
    Soak(SoakArguments),
    /// Servers that flood, stall and lie, beside servers that must not feel it.
    Hostile(HostileArguments),
    /// A host of chaos.
    #[command(hide = true)]
    ChaosHost(HostArguments),
    /// A host under one attack.
    #[command(hide = true)]
    HostileHost(VictimArguments),
}

/// Runs what the command line asks for.
pub(crate) fn run() -> ExitCode {
    let verdict = match Cli::parse().command {
        Command::Chaos(arguments) => chaos::run(&arguments),
        Command::Soak(arguments) => soak::run(&arguments),
        Command::Hostile(arguments) => hostile::run(&arguments),
        Command::ChaosHost(arguments) => kept(chaos::host(&arguments)),
        Command::HostileHost(arguments) => kept(hostile::host(&arguments)),
    };
    match verdict {
        Ok(Verdict::Kept) => ExitCode::SUCCESS,
        Ok(Verdict::Broken) => ExitCode::FAILURE,
        Err(error) => {
            // Nothing is left to be done if standard error is closed too.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

fn kept(outcome: Outcome<()>) -> Outcome<Verdict> {
    outcome.map(|()| Verdict::Kept)
}
