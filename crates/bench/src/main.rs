//! The command that measures and reports.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_bench::bench()
}
