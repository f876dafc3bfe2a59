//! From arguments to an exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use super::args::{Cli, Command, ConfigCommand};
use super::exit::CommandError;
use super::host::{Host, complain};
use super::{call, config, doctor, review, run, tools};
use crate::chain::chain;

/// Runs the command with these arguments, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // A closed stream cannot be told anything.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(super::exit::USAGE));
        }
    };
    let host = match Host::of_process() {
        Ok(host) => host,
        Err(error) => return failed(&error),
    };
    let code = match cli.command {
        Command::Run(args) => run::run(&args, &host),
        Command::Review(args) => review::review(&args, &host),
        Command::Doctor(args) => doctor::doctor(&args, &host),
        Command::Tools(args) => tools::tools(&args, &host),
        Command::Call(args) => call::call(&args, &host),
        Command::Config {
            command: ConfigCommand::Check(args),
        } => config::check(&args, &host),
        Command::Config {
            command: ConfigCommand::Explain(args),
        } => config::explain(&args, &host),
        // Taken before anything else runs, in `main`.
        Command::FixtureServer => Ok(fixture_server::run(std::iter::empty())),
    };
    code.unwrap_or_else(|error| failed(&error))
}

fn failed(error: &CommandError) -> ExitCode {
    complain(&format!(
        "mcp-harness: {}",
        crate::terminal::escape(&chain(error))
    ));
    error.code()
}
