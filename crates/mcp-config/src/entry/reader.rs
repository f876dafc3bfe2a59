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
    has_errors: bool,
    /// How many problems may be kept; the first error always is.
    room: usize,
    more: More,
}

/// Problems that were counted and not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct More {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
}

impl<'a> Context<'a> {
    pub(crate) fn new(source: &'a Source, layer: &'a Arc<str>, name: &str, room: usize) -> Self {
        let path = JsonPath::root().member("mcpServers").member(name);
        Context {
            source,
            layer,
            name: name.into(),
            path,
            problems: Vec::new(),
            has_errors: false,
            room,
            more: More::default(),
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
        if self.is_full(severity) {
            return;
        }
        let problem = self
            .source
            .problem(severity, span, path, message)
            .with_shared_server(&self.name);
        self.keep(match help {
            Some(help) => problem.with_help(help),
            None => problem,
        });
    }

    pub(super) fn add(&mut self, problem: Problem) {
        if !self.is_full(problem.severity()) {
            self.keep(problem);
        }
    }

    /// Counts a problem for which there is no room.
    fn is_full(&mut self, severity: Severity) -> bool {
        let is_error = severity == Severity::Error;
        let full = self.problems.len() >= self.room && (self.has_errors || !is_error);
        if full && is_error {
            self.more.errors += 1;
        } else if full {
            self.more.warnings += 1;
        }
        full
    }

    fn keep(&mut self, problem: Problem) {
        self.has_errors |= problem.is_error();
        self.problems.push(problem);
    }

    /// Whether an error was found so far.
    pub(super) fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// What was found, and what else was counted.
    pub(crate) fn finish(self) -> (Vec<Problem>, More) {
        (self.problems, self.more)
    }
}
