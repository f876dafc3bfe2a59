//! Where the two commands begin.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::outcome::Outcome;
use crate::{cli, meter, peer, workload};

/// Measures and reports.
pub fn bench() -> ExitCode {
    command(cli::run)
}

/// Fails where a figure is above the recorded one. The counter says how often this process has taken
/// memory from the heap.
pub fn gate(allocations: fn() -> usize) -> ExitCode {
    meter::count_allocations(allocations);
    command(crate::gate::run)
}

/// A command runs itself for what must have a process of its own: the server, and each measured
/// client.
fn command(otherwise: fn() -> Outcome<()>) -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        Some((word, rest)) if word == peer::STDIO_COMMAND => peer::run_stdio(rest),
        Some((word, rest)) if word == peer::HTTP_COMMAND => peer::run_http(rest),
        Some((word, rest)) if word == workload::COMMAND => workload::run(rest),
        _ => otherwise(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be done if standard error is closed too.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
