//! The figures of a run, for a person and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::machine::Machine;
use crate::sample::Samples;
use crate::statistics::Spread;
use crate::suite::{Metric, REFERENCES, Suite};

/// A whole run.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    pub(crate) rounds: usize,
    pub(crate) suites: Vec<Measured>,
}

/// What a suite gave.
#[derive(Serialize)]
pub(crate) struct Measured {
    name: &'static str,
    about: &'static str,
    results: Vec<Measurement>,
}

/// One metric of one row.
#[derive(Serialize)]
struct Measurement {
    metric: &'static str,
    label: &'static str,
    row: &'static str,
    /// This row's figure as a multiple of a reference row's, taken round by round.
    ratios: Vec<Ratio>,
    #[serde(flatten)]
    spread: Spread,
    samples: Vec<f64>,
}

#[derive(Serialize)]
struct Ratio {
    to: &'static str,
    #[serde(flatten)]
    spread: Spread,
}

impl Measured {
    pub(crate) fn new(suite: &Suite, samples: &Samples) -> Self {
        let of_metric = |metric| {
            Table {
                suite,
                samples,
                metric,
            }
            .measurements()
        };
        Self {
            name: suite.name,
            about: suite.about,
            results: suite.metrics.iter().flat_map(of_metric).collect(),
        }
    }

    /// The suite as a table: ratios first, since they hold on other machines too.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("\n{}: {}\n", self.name, self.about);
        let mut metric = "";
        for result in &self.results {
            if result.metric != metric {
                metric = result.metric;
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  {}", result.label);
            }
            let _ = write!(text, "    {:<18}", result.row);
            for ratio in &result.ratios {
                let _ = write!(text, "  {:>6.2} × {}", ratio.spread.median, ratio.to);
            }
            let Spread { median, low, high } = result.spread;
            let [median, low, high] = [median, low, high].map(number);
            let _ = writeln!(text, "   {median} ({low} to {high})");
        }
        text
    }
}

/// The figures of one metric, row by row.
struct Table<'s> {
    suite: &'s Suite,
    samples: &'s Samples,
    metric: &'static Metric,
}

impl Table<'_> {
    fn measurements(&self) -> Vec<Measurement> {
        self.suite
            .rows
            .iter()
            .enumerate()
            .filter_map(|(index, row)| {
                let samples = self.column(index);
                Some(Measurement {
                    metric: self.metric.key,
                    label: self.metric.label,
                    row: row.label,
                    ratios: self.ratios(&samples),
                    spread: Spread::of(samples.iter().copied())?,
                    samples,
                })
            })
            .collect()
    }

    /// The figures of a row, a round each.
    fn column(&self, row: usize) -> Vec<f64> {
        let samples = self.samples.get(row).into_iter().flatten();
        samples
            .filter_map(|sample| sample.get(self.metric.key).copied())
            .collect()
    }

    fn ratios(&self, samples: &[f64]) -> Vec<Ratio> {
        REFERENCES
            .into_iter()
            .filter_map(|to| {
                let reference = self.suite.rows.iter().position(|row| row.label == to)?;
                let rounds = samples.iter().zip(self.column(reference));
                Some(Ratio {
                    to,
                    spread: Spread::of(rounds.map(|(sample, reference)| sample / reference))?,
                })
            })
            .collect()
    }
}

/// A figure with as many digits as it deserves.
pub(crate) fn number(figure: f64) -> String {
    match figure.abs() {
        0.0..10.0 => format!("{figure:.2}"),
        10.0..1_000.0 => format!("{figure:.1}"),
        _ => grouped(&format!("{figure:.0}")),
    }
}

/// An integer's text with a comma before each group of three digits.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        let left = digits.len() - index;
        if index > 0 && left.is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn figures_have_as_many_digits_as_they_deserve() {
        let cases = [
            (0.0, "0.00"),
            (3.128, "3.13"),
            (99.95, "100.0"),
            (1_000.0, "1,000"),
            (1_234_567.2, "1,234,567"),
            (-123_456.0, "-123,456"),
        ];
        for (figure, expected) in cases {
            assert_eq!(number(figure), expected);
        }
    }
}
