//! What a trial came to.

use crate::artifact::unified_diff;
use crate::library::ScenarioName;
use crate::terminal::{Style, escape};

/// What a trial came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Everything is as accepted.
    Passed,
    /// The artifact was written; it was missing or different before.
    Accepted,
    /// It was not run, for this reason.
    Ignored(String),
    /// It failed; the text says why, on one or more lines.
    Failed(String),
}

/// What is wrong with one playing, beside a difference to the artifact.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<String>);

impl Findings {
    pub(super) fn add(&mut self, finding: impl Into<String>) {
        self.0.push(finding.into());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The failure, with control characters of servers escaped.
    pub(super) fn failed(self) -> Outcome {
        let lines: Vec<String> = self.0.iter().map(|finding| escape(finding)).collect();
        Outcome::Failed(lines.join("\n"))
    }
}

/// The failure of a scenario whose artifact is missing or differs, with the one command that accepts it.
pub(super) fn differs(
    name: &ScenarioName,
    file: &str,
    accepted: Option<&str>,
    received: &str,
    command: &str,
    style: Style,
) -> Outcome {
    let what = match accepted {
        None => format!("there is no accepted artifact: {file} is missing"),
        Some(_) => format!("what happened differs from {file}"),
    };
    let diff = unified_diff(file, accepted.unwrap_or_default(), received, style);
    Outcome::Failed(format!(
        "{what}\n{diff}if every line of this difference is right, accept it with\n    {command} {name} --exact --accept"
    ))
}
