//! What a trial came to.

use crate::artifact::unified_diff;
use crate::library::ScenarioName;
use crate::scenario::ScenarioError;
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
    /// It failed.
    Failed(Box<Failure>),
}

/// Why a trial failed. The texts may hold whatever servers sent; [`Failure::render`] makes them fit for a
/// terminal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The scenario's file; the search for strays has none.
    pub file: Option<String>,
    /// What is wrong, whatever the artifact says.
    pub findings: Vec<String>,
    /// What is wrong with the scenario's file, with lines and columns.
    pub mistakes: Option<ScenarioError>,
    /// Two texts that should be one.
    pub difference: Option<Difference>,
    /// The last lines of the server log, secrets masked.
    pub server_log: Vec<String>,
}

/// Two texts that should be one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The scenario.
    pub scenario: ScenarioName,
    /// What differs, in one line.
    pub what: String,
    /// What heads each of the two texts in the diff: where it comes from.
    pub headings: (String, String),
    /// The accepted text, or the one of the first playing; nothing where the artifact is missing.
    pub accepted: Option<String>,
    /// The text of this run, or of the playing that differs from the first.
    pub received: String,
    /// The command that accepts what was received. Playings that differ cannot be accepted, nor can anything
    /// where the artifacts are part of the command.
    pub accept: Option<String>,
}

impl Outcome {
    /// A failure for one reason that has nothing to do with an artifact.
    pub(super) fn failed(finding: impl Into<String>) -> Outcome {
        Outcome::Failed(Box::new(Failure::of(finding)))
    }

    /// Why it failed, if it did.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Outcome::Failed(failure) => Some(failure),
            _ => None,
        }
    }
}

impl Failure {
    pub(super) fn of(finding: impl Into<String>) -> Failure {
        Failure {
            findings: vec![finding.into()],
            ..Failure::default()
        }
    }

    /// The first thing that is wrong, on one line.
    pub fn summary(&self) -> String {
        let finding = self.findings.first().cloned();
        let mistake = || Some(self.mistakes.as_ref()?.problems.first()?.to_string());
        let difference = || Some(self.difference.as_ref()?.what.clone());
        let text = finding.or_else(mistake).or_else(difference);
        let text = text.unwrap_or_default();
        escape(text.lines().next().unwrap_or_default())
    }

    /// The whole failure for a terminal or a file: its place, everything that is wrong, the end of the server
    /// log, and the command that accepts a difference. Control characters of servers are escaped.
    pub fn render(&self, style: Style) -> String {
        let mut lines = Vec::new();
        match &self.mistakes {
            Some(mistakes) => lines.push(mistakes.render(style).trim_end().to_owned()),
            None => lines.extend(self.file.iter().map(|file| style.dim(&escape(file)))),
        }
        lines.extend(self.findings.iter().map(|finding| escape(finding)));
        lines.extend(self.difference.iter().map(|it| it.render(style)));
        if !self.server_log.is_empty() {
            lines.push("the server log ends with".to_owned());
            let log = self.server_log.iter();
            lines.extend(log.map(|line| style.dim(&format!("    {}", escape(line)))));
        }
        if let Some(accept) = self.difference.as_ref().and_then(|it| it.accept.as_ref()) {
            lines.push(format!(
                "if every line of this difference is right, accept it with\n    {accept}"
            ));
        }
        lines.join("\n")
    }
}

impl Difference {
    /// What differs, and the unified diff.
    pub fn render(&self, style: Style) -> String {
        let accepted = self.accepted.as_deref().unwrap_or_default();
        let (old, new) = &self.headings;
        let diff = unified_diff((old, accepted), (new, &self.received), style);
        format!("{}\n{}", escape(&self.what), diff.trim_end())
    }
}
