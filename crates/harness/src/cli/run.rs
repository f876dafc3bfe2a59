//! `mcp-harness run`.

use std::process::ExitCode;
use std::time::Instant;

use super::args::RunArgs;
use super::exit::{CommandError, FAILED, OK};
use super::host::{Host, print};
use super::report::{line, summary};
use super::signals::Signals;
use crate::chain::chain;
use crate::library::{Filter, Library};
use crate::sandbox::Fixture;
use crate::trial::{self, Mode, Outcome, Setup, Trial, trials};

pub(super) fn run(args: &RunArgs, host: &Host) -> Result<ExitCode, CommandError> {
    let library = library(args, host);
    let trials = chosen(&library, args)?;
    if args.list {
        let names: Vec<&str> = trials.iter().map(Trial::name).collect();
        print(&(names.join("\n") + "\n"))?;
        return Ok(ExitCode::from(OK));
    }
    let fixture = Fixture::new(&host.executable).map_err(|error| {
        CommandError::usage(format!("cannot write to the temporary folder: {error}"))
    })?;
    let signals = Signals::listen();
    let style = host.output_style();
    let setup = Setup {
        mode: if args.accept {
            Mode::Accept
        } else {
            Mode::Verify
        },
        repeat: args.repeat.get(),
        live: args.live,
        style,
        command: format!("{}{}", host.run_command(), library.options(&host.directory)),
        stop: signals.stop(),
        ..Setup::new(library, fixture)
    };
    let jobs = args
        .jobs
        .map_or_else(Host::processors, std::num::NonZero::get);
    let begun = Instant::now();
    let mut written = Ok(());
    let reports = trial::run(&setup, trials, jobs, |report| {
        if written.is_ok() {
            written = print(&line(report, style));
        }
    });
    written?;
    print(&summary(&reports, begun.elapsed(), style))?;
    let failed = reports
        .iter()
        .any(|report| matches!(report.outcome, Outcome::Failed(_)));
    Ok(ExitCode::from(signals.code().unwrap_or(if failed {
        FAILED
    } else {
        OK
    })))
}

fn library(args: &RunArgs, host: &Host) -> Library {
    match (&args.scenarios, &args.artifacts) {
        (Some(scenarios), Some(artifacts)) => Library::folders(scenarios, artifacts),
        _ => Library::around(&host.directory),
    }
}

/// The trials that the filter takes. None at all is a mistake: a renamed scenario must not pass by absence.
fn chosen(library: &Library, args: &RunArgs) -> Result<Vec<Trial>, CommandError> {
    let filter = Filter {
        text: args.filter.clone(),
        exact: args.exact,
    };
    let all = trials(library).map_err(|error| CommandError::usage(chain(&error)))?;
    let chosen: Vec<Trial> = all
        .into_iter()
        .filter(|trial| filter.takes(trial.name()))
        .collect();
    if chosen.is_empty() {
        let text = filter.text.unwrap_or_default();
        return Err(CommandError::usage(format!(
            "no scenario has {text:?} {} its name; `mcp-harness run --list` prints all names",
            if filter.exact { "as" } else { "in" }
        )));
    }
    Ok(chosen)
}
