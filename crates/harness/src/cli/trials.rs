//! What `run` and `review` have in common: which trials, and playing them under a status line.

use std::io;
use std::num::NonZeroUsize;

use super::args::LibraryArgs;
use super::exit::CommandError;
use super::host::Host;
use super::signals::Signals;
use super::status_line::StatusLine;
use crate::chain::chain;
use crate::library::{Filter, Library};
use crate::sandbox::Fixture;
use crate::trial::{Progress, Report, Setup, Trial, run, trials};

pub(super) fn library(args: &LibraryArgs, host: &Host) -> Library {
    match (&args.scenarios, &args.artifacts) {
        (Some(scenarios), Some(artifacts)) => Library::folders(scenarios, artifacts),
        _ => Library::around(&host.directory),
    }
}

/// The trials that the filter takes. None at all is a mistake: a renamed scenario must not pass by absence.
pub(super) fn chosen(
    library: &Library,
    filter: &Filter,
    host: &Host,
) -> Result<Vec<Trial>, CommandError> {
    let all = trials(library).map_err(|error| CommandError::usage(chain(&error)))?;
    let chosen: Vec<Trial> = all
        .into_iter()
        .filter(|trial| filter.takes(trial.name()))
        .collect();
    if chosen.is_empty() {
        let text = filter.text.as_deref().unwrap_or_default();
        return Err(CommandError::usage(format!(
            "no scenario has {text:?} {} its name; `{} --list` prints all names",
            if filter.exact { "as" } else { "in" },
            command(library, host)
        )));
    }
    Ok(chosen)
}

/// The command that runs trials of this library again.
pub(super) fn command(library: &Library, host: &Host) -> String {
    format!("{}{}", host.run_command(), library.options(&host.directory))
}

/// Verifies each scenario once; failures name the command that accepts.
pub(super) fn setup(
    library: Library,
    host: &Host,
    signals: &Signals,
) -> Result<Setup, CommandError> {
    let fixture = Fixture::new(&host.executable).map_err(|error| {
        CommandError::usage(format!("cannot write to the temporary folder: {error}"))
    })?;
    let fixture = fixture.variables(host.texts());
    Ok(Setup {
        command: command(&library, host),
        stop: signals.stop(),
        ..Setup::new(library, fixture)
    })
}

/// Plays the trials; `tell` may print each result as it comes, with no status line in its way. All are played,
/// whether they can be told or not.
pub(super) fn play(
    setup: &Setup,
    trials: Vec<Trial>,
    jobs: Option<NonZeroUsize>,
    host: &Host,
    mut tell: impl FnMut(&Report) -> io::Result<()>,
) -> (Vec<Report>, io::Result<()>) {
    let jobs = jobs.map_or_else(Host::processors, NonZeroUsize::get);
    let mut status = StatusLine::new(trials.len(), host);
    let mut told = Ok(());
    let reports = run(setup, trials, jobs, |progress| match progress {
        Progress::Begun(name) => status.begun(name),
        Progress::Ended(report) => {
            status.ended(&report.name);
            if told.is_ok() {
                told = status.aside(|| tell(report));
            }
        }
    });
    drop(status);
    (reports, told)
}
