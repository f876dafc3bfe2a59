//! How results of trials are printed: one line each, what failed below it, a summary at the end.

use std::time::Duration;

use crate::terminal::{Style, escape_line};
use crate::trial::{Outcome, Report};

/// More results than this have scrolled away by the end.
const SCREEN: usize = 10;

/// The line of a result, with the failure below it.
pub(super) fn line(report: &Report, style: Style) -> String {
    let (word, detail) = match &report.outcome {
        Outcome::Passed => (style.green("PASS  "), String::new()),
        Outcome::Accepted => (style.yellow("ACCEPT"), String::new()),
        Outcome::Ignored(reason) => (style.dim("IGNORE"), reason.clone()),
        Outcome::Failed(failure) => (style.red("FAIL  "), failure.render(style)),
    };
    let seconds = style.dim(&format!("({:.3} s)", report.elapsed.as_secs_f64()));
    let first = format!("{word} {} {seconds}\n", escape_line(&report.name));
    std::iter::once(first)
        .chain(detail.lines().map(|line| format!("       {line}\n")))
        .collect()
}

/// The summary, with the names of what failed: they may have scrolled away.
pub(super) fn summary(reports: &[Report], elapsed: Duration, style: Style) -> String {
    let count = |wanted: fn(&Outcome) -> bool| {
        reports
            .iter()
            .filter(|report| wanted(&report.outcome))
            .count()
    };
    let passed = count(|outcome| matches!(outcome, Outcome::Passed));
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let mut parts = vec![format!("{passed} passed"), format!("{failed} failed")];
    for (number, word) in [
        (
            count(|outcome| matches!(outcome, Outcome::Accepted)),
            "accepted",
        ),
        (
            count(|outcome| matches!(outcome, Outcome::Ignored(_))),
            "ignored",
        ),
    ] {
        if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    }
    let mut lines = vec![format!(
        "{} in {:.2} s\n",
        style.bold(&parts.join(", ")),
        elapsed.as_secs_f64()
    )];
    if reports.len() > SCREEN {
        let failed = reports
            .iter()
            .filter(|report| matches!(report.outcome, Outcome::Failed(_)));
        lines.extend(
            failed.map(|report| format!("  {} {}\n", style.red("FAIL"), escape_line(&report.name))),
        );
    }
    lines.concat()
}
