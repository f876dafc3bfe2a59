//! The recorded figures, and how measured ones compare.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::number::number;
use crate::outcome::Outcome;

/// Where the repository keeps them.
pub(super) const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/baseline.json");
/// The share of a recorded figure by which a measured one may differ.
const ROOM: f64 = 0.1;

/// How this command was built: unoptimised code costs many times as much, so each has its own record.
const BUILD: &str = if cfg!(debug_assertions) {
    "debug"
} else {
    "release"
};

/// Figures by what was measured and by metric.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Baseline(BTreeMap<String, BTreeMap<String, f64>>);

/// The file: a baseline for each kind of build.
type Builds = BTreeMap<String, Baseline>;

impl Baseline {
    /// What is recorded for builds of this kind.
    pub(super) fn read(file: &Path) -> Outcome<Self> {
        let found = read(file)?.remove(BUILD);
        found.ok_or_else(|| format!("{} has no {BUILD} build", file.display()).into())
    }

    /// Records this for builds of this kind.
    pub(super) fn write(self, file: &Path) -> Outcome<()> {
        let mut builds = if file.exists() {
            read(file)?
        } else {
            Builds::new()
        };
        builds.insert(BUILD.to_owned(), self);
        let text = format!("{}\n", serde_json::to_string_pretty(&builds)?);
        fs::write(file, text)
            .map_err(|error| format!("cannot write {}: {error}", file.display()).into())
    }

    /// Two digits behind the point are as many as runs have in common.
    pub(super) fn put(&mut self, subject: &str, metric: &str, figure: f64) {
        let metrics = self.0.entry(subject.to_owned()).or_default();
        metrics.insert(metric.to_owned(), (figure * 100.0).round() / 100.0);
    }

    /// How each measured figure stands to what is recorded here.
    pub(super) fn judge<'b>(
        &'b self,
        measured: &'b Baseline,
    ) -> impl Iterator<Item = Verdict<'b>> + 'b {
        measured.0.iter().flat_map(move |(subject, metrics)| {
            metrics.iter().map(move |(metric, figure)| Verdict {
                subject,
                metric,
                measured: *figure,
                recorded: self
                    .0
                    .get(subject)
                    .and_then(|known| known.get(metric))
                    .copied(),
            })
        })
    }
}

fn read(file: &Path) -> Outcome<Builds> {
    let text = fs::read_to_string(file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    serde_json::from_str(&text)
        .map_err(|error| format!("{} is no baseline: {error}", file.display()).into())
}

/// One figure beside its record.
pub(super) struct Verdict<'b> {
    subject: &'b str,
    metric: &'b str,
    measured: f64,
    recorded: Option<f64>,
}

impl Verdict<'_> {
    /// A figure without a record fails too: nothing would hold it.
    pub(super) fn fails(&self) -> bool {
        self.change().is_none_or(|change| change > ROOM)
    }

    pub(super) fn is_far_below(&self) -> bool {
        self.change().is_some_and(|change| change < -ROOM)
    }

    /// The share of the record by which the figure is above it.
    fn change(&self) -> Option<f64> {
        self.recorded.map(|recorded| self.measured / recorded - 1.0)
    }
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            subject, metric, ..
        } = self;
        write!(f, "{subject}: {} {metric}, ", number(self.measured))?;
        match self.recorded.zip(self.change()) {
            Some((recorded, change)) => {
                write!(f, "{:+.1} % beside {}", change * 100.0, number(recorded))
            }
            None => f.write_str("of which there is no record"),
        }
    }
}
