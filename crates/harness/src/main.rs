//! The `mcp-harness` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    // The fixture server blocks signals for a thread of its own, so nothing may run before it.
    if arguments
        .nth(1)
        .is_some_and(|word| word == "fixture-server")
    {
        return fixture_server::run(arguments);
    }
    mcp_harness::cli::main(std::env::args_os())
}
