//! `mcp-harness run`.

use std::process::ExitCode;
use std::time::Instant;

use super::args::RunArgs;
use super::exit::{CommandError, FAILED, OK};
use super::host::{Host, print};
use super::report::{line, summary};
use super::report_file::ReportFile;
use super::signals::Signals;
use super::trials;
use crate::library::{Filter, Library};
use crate::trial::{Mode, Setup, Trial};

pub(super) fn run(args: &RunArgs, host: &Host) -> Result<ExitCode, CommandError> {
    let library = trials::library(&args.library, host);
    let chosen = chosen(&library, args, host)?;
    if args.list {
        let names: Vec<&str> = chosen.iter().map(Trial::name).collect();
        print(&lines(&names))?;
        return Ok(ExitCode::from(OK));
    }
    for report in &args.reports {
        report.check(&host.directory)?;
    }
    if chosen.is_empty() {
        print("no scenario falls into this part of the run, so nothing is played\n")?;
    }
    let signals = Signals::listen();
    let setup = Setup {
        mode: if args.accept {
            Mode::Accept
        } else {
            Mode::Verify
        },
        repeat: args.repeat.get(),
        live: args.live,
        record: args.reports.iter().any(ReportFile::needs_records),
        ..trials::setup(library, host, &signals)?
    };
    let style = host.output_style();
    let begun = Instant::now();
    let (reports, told) = trials::play(&setup, chosen, args.jobs, host, |report| {
        print(&line(report, style))
    });
    for report in &args.reports {
        report.write(&host.directory, &reports)?;
    }
    told?;
    print(&summary(&reports, begun.elapsed(), style))?;
    let failed = reports
        .iter()
        .any(|report| report.outcome.failure().is_some());
    Ok(ExitCode::from(signals.code().unwrap_or(if failed {
        FAILED
    } else {
        OK
    })))
}

fn lines(names: &[&str]) -> String {
    names.iter().flat_map(|name| [*name, "\n"]).collect()
}

/// The trials to run. That a part of them has none is no mistake: there may be more parts than scenarios.
fn chosen(library: &Library, args: &RunArgs, host: &Host) -> Result<Vec<Trial>, CommandError> {
    let filter = Filter {
        text: args.filter.clone(),
        exact: args.exact,
    };
    let mut chosen = trials::chosen(library, &filter, host)?;
    if let Some(partition) = args.partition {
        chosen.retain(|trial| partition.takes(trial.name()));
    }
    Ok(chosen)
}
