//! The same trials as `mcp-harness run`, under the same names, on libtest-mimic.

#![expect(
    clippy::print_stderr,
    reason = "a failure to set up is told to the person who runs this"
)]

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use mcp_harness::library::Library;
use mcp_harness::sandbox::Fixture;
use mcp_harness::terminal::Style;
use mcp_harness::trial::{Report, Setup, trials};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match setup() {
        Ok((setup, found)) => {
            let trials = found.into_iter().map(|trial| {
                let setup = setup.clone();
                let name = trial.name().to_owned();
                let live = trial.is_live();
                Trial::test(name, move || judge(&trial.run(&setup))).with_ignored_flag(live)
            });
            libtest_mimic::run(&arguments, trials.collect()).exit_code()
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn setup() -> Result<(Setup, Vec<mcp_harness::trial::Trial>), Box<dyn std::error::Error>> {
    let library = Library::around(Path::new(env!("CARGO_MANIFEST_DIR")));
    let found = trials(&library)?;
    let fixture = Fixture::new(Path::new(env!("CARGO_BIN_EXE_mcp-harness")))?;
    // A live trial is ignored by libtest-mimic's rules, so whoever runs it has asked for it.
    Ok((
        Setup {
            live: true,
            ..Setup::new(library, fixture)
        },
        found,
    ))
}

fn judge(report: &Report) -> Result<(), Failed> {
    match report.outcome.failure() {
        Some(failure) => Err(Failed::from(failure.render(Style::Plain))),
        None => Ok(()),
    }
}
