//! The figures of a run, as they are kept in a file and shown.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::machine::{self, Machine};
use crate::number::number;
use crate::outcome::Outcome;
use crate::sample::{Plan, Taken};
use crate::statistics::Spread;
use crate::suite::{Metric, Suite};

/// A whole run.
#[derive(Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    /// What was measured and with what, a name and a version each.
    pub(crate) versions: Vec<String>,
    pub(crate) suites: Vec<Measured>,
}

/// What a suite gave.
#[derive(Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) about: String,
    /// How often each row was measured.
    pub(crate) rounds: usize,
    /// The load average of the last minute when it was done, which the measurement itself raises by one.
    pub(crate) load: Option<f64>,
    pub(crate) results: Vec<Measurement>,
    /// Rows that could not be measured, with the reason.
    #[serde(default)]
    pub(crate) failures: BTreeMap<String, String>,
}

/// One metric of one row.
#[derive(Serialize, Deserialize)]
pub(crate) struct Measurement {
    pub(crate) metric: String,
    pub(crate) label: String,
    pub(crate) row: String,
    /// This row's figure as a multiple of another row's, taken round by round.
    pub(crate) ratios: Vec<Ratio>,
    #[serde(flatten)]
    pub(crate) spread: Spread,
    pub(crate) samples: Vec<f64>,
}

/// A figure as a multiple of another row's.
#[derive(Serialize, Deserialize)]
pub(crate) struct Ratio {
    pub(crate) to: String,
    #[serde(flatten)]
    pub(crate) spread: Spread,
}

impl Report {
    pub(crate) fn read(file: &Path) -> Outcome<Self> {
        let text = fs::read_to_string(file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        serde_json::from_str(&text)
            .map_err(|error| format!("{} holds no figures: {error}", file.display()).into())
    }

    pub(crate) fn write(&self, file: &Path) -> Outcome<()> {
        let text = format!("{}\n", serde_json::to_string_pretty(self)?);
        fs::write(file, text)
            .map_err(|error| format!("cannot write {}: {error}", file.display()).into())
    }

    /// Takes a suite in, in the place of what it gave before.
    pub(crate) fn put(&mut self, measured: Measured) {
        self.suites.retain(|suite| suite.name != measured.name);
        self.suites.push(measured);
    }

    pub(crate) fn suite(&self, name: &str) -> Option<&Measured> {
        self.suites.iter().find(|suite| suite.name == name)
    }
}

impl Measured {
    pub(crate) fn new(suite: &Suite, plan: &Plan, taken: &[Taken]) -> Self {
        let results = suite.metrics.iter().flat_map(|metric| {
            taken
                .iter()
                .filter_map(move |of_row| Measurement::new(metric, of_row, taken))
        });
        let failures = taken
            .iter()
            .filter_map(|taken| Some((taken.row.label.to_owned(), taken.failure.clone()?)));
        Self {
            name: suite.name.to_owned(),
            about: suite.about.to_owned(),
            rounds: suite.rounds(plan.rounds),
            load: machine::load(),
            results: results.collect(),
            failures: failures.collect(),
        }
    }

    /// The figure of a row, if it has it.
    pub(crate) fn figure(&self, row: &str, metric: &str) -> Option<&Measurement> {
        self.results
            .iter()
            .find(|result| result.row == row && result.metric == metric)
    }

    /// The suite as a table: ratios first, since they hold on other machines too.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("\n{}: {}\n", self.name, self.about);
        let mut metric = "";
        for result in &self.results {
            // Writing to a string cannot fail.
            if result.metric != metric {
                metric = &result.metric;
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
        for (row, reason) in &self.failures {
            let _ = writeln!(text, "  {row} fails: {reason}");
        }
        text
    }
}

impl Measurement {
    /// None if the row has no such figure.
    fn new(metric: &Metric, taken: &Taken, all: &[Taken]) -> Option<Self> {
        let samples = column(metric, taken);
        let ratios = taken.row.against.iter().filter_map(|to| {
            let reference = all.iter().find(|other| other.row.label == *to)?;
            let rounds = samples.iter().zip(column(metric, reference));
            Some(Ratio {
                to: (*to).to_owned(),
                spread: Spread::of(rounds.map(|(sample, reference)| sample / reference))?,
            })
        });
        Some(Self {
            metric: metric.key.to_owned(),
            label: metric.label.to_owned(),
            row: taken.row.label.to_owned(),
            ratios: ratios.collect(),
            spread: Spread::of(samples.iter().copied())?,
            samples,
        })
    }
}

/// The figures of a row, a round each.
fn column(metric: &Metric, taken: &Taken) -> Vec<f64> {
    let samples = taken.samples.iter();
    samples
        .filter_map(|sample| sample.get(metric.key).copied())
        .collect()
}
