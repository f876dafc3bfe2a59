//! A suite's figures as a table, with the command that made it.

use std::fmt::Write as _;

use crate::number::number;
use crate::report::{Measured, Measurement, Report};

/// What everything was measured on and with.
pub(super) fn machine(report: &Report) -> String {
    format!(
        "{}; {}.\n",
        report.machine.describe(),
        report.versions.join(", ")
    )
}

/// A row each; the first figure with its spread and its ratios.
pub(super) fn suite(measured: &Measured) -> String {
    let metrics = distinct(measured, |result| &result.metric);
    let references = references(measured, metrics.first().copied());
    let mut text = head(measured, &metrics, &references);
    for row in distinct(measured, |result| &result.row) {
        let _ = write!(text, "| {row} |");
        for (place, metric) in metrics.iter().enumerate() {
            let cell = measured.figure(row, metric);
            if place == 0 {
                let _ = write!(text, " {} |", cell.map_or_else(String::new, with_spread));
                for reference in &references {
                    let _ = write!(text, " {} |", ratio(cell, reference));
                }
            } else {
                let figure = cell.map_or_else(String::new, |cell| number(cell.spread.median));
                let _ = write!(text, " {figure} |");
            }
        }
        text.push('\n');
    }
    for (row, reason) in &measured.failures {
        let _ = write!(text, "| {row} | fails: {} |", reason.replace('|', "\\|"));
        text.push_str(&" |".repeat(metrics.len() + references.len() - 1));
        text.push('\n');
    }
    text
}

/// What was done, and the two first lines of the table. Writing to a string cannot fail.
fn head(measured: &Measured, metrics: &[&str], references: &[&str]) -> String {
    let Measured {
        name,
        about,
        rounds,
        ..
    } = measured;
    let first = about
        .chars()
        .next()
        .map(|first| first.to_uppercase().to_string());
    let about: String = first
        .into_iter()
        .chain(about.chars().skip(1).map(String::from))
        .collect();
    let foreign = if has_foreign(measured) {
        " --compare"
    } else {
        ""
    };
    let load = measured
        .load
        .map_or_else(String::new, |load| format!("; load {load}"));
    let runs = match rounds {
        1 => "one run".to_owned(),
        rounds => format!("medians of {rounds} interleaved runs (lowest to highest)"),
    };
    let mut text = format!(
        "{about}: `cargo run --release -p mcp-bench -- {name}{foreign}`, {runs}{load}.\n\n| |"
    );
    for (place, metric) in metrics.iter().enumerate() {
        let label = measured
            .results
            .iter()
            .find(|result| result.metric == *metric);
        let _ = write!(text, " {} |", label.map_or("", |result| &result.label));
        if place == 0 {
            for reference in references {
                let _ = write!(text, " × {reference} |");
            }
        }
    }
    let _ = writeln!(
        text,
        "\n|---|{}",
        "---:|".repeat(metrics.len() + references.len())
    );
    text
}

fn has_foreign(measured: &Measured) -> bool {
    let rows = measured.results.iter().map(|result| &*result.row);
    rows.chain(measured.failures.keys().map(String::as_str))
        .any(crate::foreign::is_subject)
}

fn distinct<'m>(
    measured: &'m Measured,
    field: impl Fn(&'m Measurement) -> &'m String,
) -> Vec<&'m str> {
    let mut all: Vec<&str> = Vec::new();
    for result in &measured.results {
        let value = field(result);
        if !all.contains(&value.as_str()) {
            all.push(value);
        }
    }
    all
}

/// The rows beside which a metric is set.
fn references<'m>(measured: &'m Measured, metric: Option<&str>) -> Vec<&'m str> {
    let mut all: Vec<&str> = Vec::new();
    let results = measured.results.iter();
    for ratio in results
        .filter(|result| Some(result.metric.as_str()) == metric)
        .flat_map(|result| &result.ratios)
    {
        if !all.contains(&ratio.to.as_str()) {
            all.push(&ratio.to);
        }
    }
    all
}

fn with_spread(cell: &Measurement) -> String {
    let spread = cell.spread;
    let [median, low, high] = [spread.median, spread.low, spread.high].map(number);
    if cell.samples.len() == 1 {
        median
    } else {
        format!("{median} ({low} to {high})")
    }
}

fn ratio(cell: Option<&Measurement>, reference: &str) -> String {
    let ratio = cell.and_then(|cell| cell.ratios.iter().find(|ratio| ratio.to == reference));
    ratio.map_or_else(String::new, |ratio| format!("{:.2}", ratio.spread.median))
}
