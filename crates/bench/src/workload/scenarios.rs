//! The time of the whole scenario suite, by the harness's own command.

use std::env;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{Figures, figure};
use crate::outcome::Outcome;

/// Runs every scenario once.
pub(super) fn run() -> Outcome<Figures> {
    let program = env::current_exe()?.with_file_name("mcp-harness");
    let run = |arguments: &[&str]| {
        let output = Command::new(&program)
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| {
                format!(
                    "{}: {error} (build it: cargo build --release -p mcp-harness)",
                    program.display()
                )
            })?;
        if output.status.success() {
            Ok(String::from_utf8(output.stdout)?)
        } else {
            let told = String::from_utf8_lossy(&output.stdout);
            Err(format!("mcp-harness failed ({}):\n{told}", output.status).into())
        }
    };
    let listed: Outcome<String> = run(&["run", "--list"]);
    let scenarios = listed?.lines().count();
    let begin = Instant::now();
    run(&["run"])?;
    Ok(Figures::from([
        ("wall_s", begin.elapsed().as_secs_f64()),
        ("scenarios", figure(scenarios)),
    ]))
}
