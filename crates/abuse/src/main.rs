#![doc = include_str!("../README.md")]

mod chaos;
mod cli;
mod dice;
mod fleet;
mod hostile;
mod outcome;
mod procfs;
mod soak;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    // The fixture server blocks signals for a thread of its own, so nothing may run before it.
    if arguments
        .nth(1)
        .is_some_and(|word| word == fleet::FIXTURE_COMMAND)
    {
        return fixture_server::run(arguments);
    }
    cli::run()
}
