//! What all checks of one entry share: where they are, and what they found.

use std::sync::Arc;

use super::origin::Origin;
use crate::document::{JsonPath, Source, Span};
use crate::problem::{Problem, Severity};

/// The reading of one entry.
pub(crate) struct Context<'a> {
    pub(super) source: &'a Source,
    pub(super) layer: &'a Arc<str>,
    pub(super) name: Arc<str>,
    pub(super) path: JsonPath,
    problems: Vec<Problem>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(source: &'a Source, layer: &'a Arc<str>, name: &str) -> Self {
        let path = JsonPath::root().member("mcpServers").member(name);
        Context {
            source,
            layer,
            name: name.into(),
            path,
            problems: Vec::new(),
        }
    }

    pub(super) fn origin(&self, span: Span) -> Origin {
        Origin::in_file(
            Arc::clone(self.layer),
            self.source.shared_file(),
            span.position(),
        )
    }

    pub(super) fn error(
        &mut self,
        span: Span,
        path: &JsonPath,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.push(Severity::Error, span, path, message.into(), help);
    }

    pub(super) fn warn(
        &mut self,
        span: Span,
        path: &JsonPath,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.push(Severity::Warning, span, path, message.into(), help);
    }

    fn push(
        &mut self,
        severity: Severity,
        span: Span,
        path: &JsonPath,
        message: String,
        help: Option<String>,
    ) {
        let problem = self
            .source
            .problem(severity, span, path, message)
            .with_shared_server(&self.name);
        self.problems.push(match help {
            Some(help) => problem.with_help(help),
            None => problem,
        });
    }

    pub(super) fn add(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Whether an error was found so far.
    pub(super) fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}
