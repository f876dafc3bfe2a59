#![doc = include_str!("../README.md")]

mod callgrind;
mod cli;
mod client;
mod machine;
mod meter;
mod outcome;
mod peer;
mod report;
mod sample;
mod statistics;
mod suite;
mod workload;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::outcome::Outcome;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be done if standard error is closed too.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The command runs itself for what must have a process of its own: the server, and each measured
/// client.
fn run(arguments: &[String]) -> Outcome<()> {
    match arguments.split_first() {
        Some((word, rest)) if word == peer::STDIO_COMMAND => peer::run_stdio(rest),
        Some((word, rest)) if word == peer::HTTP_COMMAND => peer::run_http(rest),
        Some((word, rest)) if word == workload::COMMAND => workload::run(rest),
        _ => cli::run(),
    }
}
