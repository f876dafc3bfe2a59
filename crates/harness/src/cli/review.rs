//! `mcp-harness review`: every difference is shown to a person, who decides about it.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use console::{Key, Term};

use super::args::ReviewArgs;
use super::exit::{CommandError, FAILED, INTERRUPTED, OK};
use super::host::{Host, print};
use super::signals::Signals;
use super::trials;
use crate::chain::chain;
use crate::library::{Filter, Library};
use crate::terminal::{Style, escape, escape_line};
use crate::trial::{Difference, Report, Setup};

/// What a person decides about a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    Accept,
    Skip,
    Quit,
    /// By the key that interrupts.
    Interrupt,
}

pub(super) fn review(args: &ReviewArgs, host: &Host) -> Result<ExitCode, CommandError> {
    let library = trials::library(&args.library, host);
    library
        .writable()
        .map_err(|error| CommandError::usage(chain(&error)))?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let run = trials::command(&library, host);
        return Err(CommandError::usage(format!(
            "review asks about each difference, and needs a terminal for that; without one, `{run}` shows the \
             differences and `{run} NAME --exact --accept` accepts one",
        )));
    }
    let filter = Filter {
        text: args.filter.clone(),
        exact: args.exact,
    };
    let chosen = trials::chosen(&library, &filter, host)?;
    let signals = Signals::listen();
    let setup = Setup {
        live: args.live,
        // For what each scenario proves, which a reviewer reads first.
        record: true,
        ..trials::setup(library.clone(), host, &signals)?
    };
    let (mut reports, _) = trials::play(&setup, chosen, args.jobs, host, |_| Ok(()));
    if let Some(code) = signals.code() {
        return Ok(ExitCode::from(code));
    }
    reports.sort_by(|a, b| a.name.cmp(&b.name));
    let mut review = Review {
        library,
        style: host.output_style(),
        accepted: 0,
        skipped: 0,
    };
    signals.end_at_once();
    if review.walk(&reports)? == Decision::Interrupt {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let others = others(&reports, review.style);
    print(&format!(
        "{}{} accepted, {} skipped, {} failed otherwise\n",
        others.concat(),
        review.accepted,
        review.skipped,
        others.len()
    ))?;
    let right = review.skipped == 0 && others.is_empty();
    Ok(ExitCode::from(if right { OK } else { FAILED }))
}

/// The failures that accepting does not end: a line each.
fn others(reports: &[Report], style: Style) -> Vec<String> {
    let others = reports.iter().filter(|report| acceptable(report).is_none());
    others
        .filter_map(|report| {
            let failure = report.outcome.failure()?.summary();
            let word = style.red("FAIL");
            Some(format!("{word} {}: {failure}\n", escape_line(&report.name)))
        })
        .collect()
}

fn acceptable(report: &Report) -> Option<&Difference> {
    let difference = report.outcome.failure()?.difference.as_ref()?;
    difference.accept.is_some().then_some(difference)
}

struct Review {
    library: Library,
    style: Style,
    accepted: usize,
    skipped: usize,
}

impl Review {
    /// Asks about each difference until the person has had enough; what is left then counts as skipped.
    /// Returns the last decision.
    fn walk(&mut self, reports: &[Report]) -> Result<Decision, CommandError> {
        let differing: Vec<(&Report, &Difference)> = reports
            .iter()
            .filter_map(|report| Some((report, acceptable(report)?)))
            .collect();
        for (number, (report, difference)) in differing.iter().enumerate() {
            let place = format!("{} of {}", number + 1, differing.len());
            print(&self.shown(report, difference, &place))?;
            let decision = decide()?;
            match decision {
                Decision::Accept => {
                    self.library
                        .accept(&difference.scenario, &difference.received)
                        .map_err(|error| CommandError::usage(chain(&error)))?;
                    self.accepted += 1;
                    print(&format!("{}\n\n", self.style.green("accepted")))?;
                }
                Decision::Skip => {
                    self.skipped += 1;
                    print(&format!("{}\n\n", self.style.yellow("skipped")))?;
                }
                Decision::Quit | Decision::Interrupt => {
                    self.skipped += differing.len() - number;
                    print("\n\n")?;
                    return Ok(decision);
                }
            }
        }
        Ok(Decision::Quit)
    }

    fn shown(&self, report: &Report, difference: &Difference, place: &str) -> String {
        let style = self.style;
        let title = format!("{} ({place})", escape_line(&report.name));
        let file = report.outcome.failure().and_then(|it| it.file.as_deref());
        let proves = report.record.as_ref().map(|record| record.proves.as_str());
        format!(
            "{}\n{}\n{}\n\n{}\n\n{}ccept  {}kip  {}uit  ",
            style.bold(&title),
            style.dim(&escape(file.unwrap_or_default())),
            escape(proves.unwrap_or_default()),
            difference.render(style),
            style.bold("[a]"),
            style.bold("[s]"),
            style.bold("[q]"),
        )
    }
}

/// Waits for a key that decides; others mean nothing.
fn decide() -> Result<Decision, CommandError> {
    let terminal = Term::stdout();
    loop {
        let key = match terminal.read_key() {
            Ok(key) => key,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                return Ok(Decision::Interrupt);
            }
            Err(error) => return Err(error.into()),
        };
        match key {
            Key::Char('a' | 'A') => return Ok(Decision::Accept),
            Key::Char('s' | 'S') => return Ok(Decision::Skip),
            Key::Char('q' | 'Q' | '\u{4}') | Key::Escape => return Ok(Decision::Quit),
            _ => {}
        }
    }
}
