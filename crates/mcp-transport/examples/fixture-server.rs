//! The scripted server of the tests, as a process of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    fixture_server::run(std::env::args_os().skip(1))
}
