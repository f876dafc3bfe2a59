//! Reading a scenario file: every problem with its place.

use mcp_config::document::{self, Source};
use mcp_config::{Problem, RenderOptions, Severity, render};
use serde::Deserialize;

use super::Scenario;
use super::check::check;
use super::node::NodeDeserializer;
use crate::library::ScenarioSource;
use crate::number::plural;
use crate::terminal::Style;

/// What is wrong with a scenario file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the scenario cannot be played: {} in its file", plural(problems.len(), "problem"))]
pub struct ScenarioError {
    /// Each problem with file, line, column and what to write instead.
    pub problems: Vec<Problem>,
}

impl ScenarioError {
    /// The problems as a compiler prints them.
    pub fn render(&self, style: Style) -> String {
        let options = RenderOptions {
            colour: style == Style::Coloured,
            ..RenderOptions::default()
        };
        render(&self.problems, options)
    }
}

/// Reads a scenario.
pub fn read(source: &ScenarioSource) -> Result<Scenario, ScenarioError> {
    let parsed = document::parse(&source.file, &source.text);
    let mut problems = parsed.problems;
    let Some(document) = parsed.document else {
        return Err(ScenarioError { problems });
    };
    // Scenario files are written to be read: nothing in them is a secret of a person.
    let text = document.source().unmasked();
    let scenario = match Scenario::deserialize(NodeDeserializer::new(document.root())) {
        Ok(scenario) => {
            problems.extend(check(&scenario, document.root(), &text));
            scenario
        }
        Err(error) => {
            let (span, path) = error
                .place
                .unwrap_or_else(|| (document.root().span(), document::JsonPath::root()));
            let problem = text.problem(Severity::Error, span, &path, error.message);
            problems.push(with_help(problem, error.help));
            return Err(ScenarioError { problems });
        }
    };
    if problems.is_empty() {
        Ok(scenario)
    } else {
        Err(ScenarioError { problems })
    }
}

pub(super) fn with_help(problem: Problem, help: Option<String>) -> Problem {
    match help {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}

/// An error at a node of the file.
pub(super) fn problem_at(
    source: &Source,
    span: document::Span,
    path: &document::JsonPath,
    message: String,
    help: &str,
) -> Problem {
    source
        .problem(Severity::Error, span, path, message)
        .with_help(help)
}
