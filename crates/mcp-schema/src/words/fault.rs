//! From the errors of a validation to the violations that are told.

use std::collections::{BTreeSet, HashSet};

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::kinds;
use crate::compile::Source;
use crate::outline::{NodeId, Outline, Via};
use crate::path::{Step, steps, written};
use crate::violation::{Told, Violation};

/// Errors that are put in words.
const PUT_IN_WORDS: usize = 500;

/// What an instance is called at its root, and its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Arguments,
    Value,
}

/// How useful a message is: the first is told first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// A slip that the message can put right by itself.
    Slip,
    WrongType,
    Missing,
    WrongValue,
    Unknown,
    Other,
}

/// One violation, before it is written.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) steps: Vec<Step>,
    pub(super) rank: Rank,
    pub(super) message: String,
}

/// What the messages are made from.
pub(super) struct Context<'a> {
    pub(super) subject: Subject,
    pub(super) instance: &'a Value,
    pub(super) source: &'a Source,
}

/// The violations that errors amount to, the most useful first.
pub(crate) fn violations(
    errors: &[ValidationError<'_>],
    subject: Subject,
    instance: &Value,
    source: &Source,
) -> Told {
    let context = Context {
        subject,
        instance,
        source,
    };
    // Some hundreds are enough to find the most useful among; the rest is counted.
    let (errors, more) = errors.split_at(errors.len().min(PUT_IN_WORDS));
    let mut faults: Vec<Fault> = errors
        .iter()
        .flat_map(|error| kinds::faults(error, &context))
        .collect();
    // Stable: within a rank the order stays that of the schema.
    faults.sort_by_key(|fault| fault.rank);
    let mut told = Told {
        violations: Vec::new(),
        more: more.iter().filter(|error| !is_open(error)).count(),
    };
    let mut seen = HashSet::new();
    for fault in faults {
        let path = written(&fault.steps);
        if seen.insert((path.clone(), fault.message.clone())) {
            told.violations.push(Violation::new(path, fault.message));
        }
    }
    told
}

/// Whether an error only says that a match could not be finished.
pub(crate) fn is_open(error: &ValidationError<'_>) -> bool {
    matches!(
        error.kind(),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. }
    )
}

/// What is wrong with a schema itself: the place and the fault.
pub(crate) fn schema_fault(error: &ValidationError<'_>, schema: &Value) -> (String, String) {
    if let Kind::Referencing(reason) = error.kind() {
        return (
            String::new(),
            kinds::cut(&format!("a reference cannot be resolved: {reason}")),
        );
    }
    let source = Source::default();
    let context = Context {
        subject: Subject::Value,
        instance: schema,
        source: &source,
    };
    let first = kinds::faults(error, &context)
        .into_iter()
        .min_by_key(|fault| fault.rank);
    first.map_or_else(
        || (String::new(), kinds::cut(&error.to_string())),
        |fault| {
            (
                written(&fault.steps),
                format!("malformed: {}", fault.message),
            )
        },
    )
}

impl Context<'_> {
    pub(super) fn steps(&self, error: &ValidationError<'_>) -> Vec<Step> {
        steps(error.instance_path().as_str(), self.instance)
    }

    /// The schema object whose keyword an error is about.
    pub(super) fn object(&self, error: &ValidationError<'_>) -> Option<(&Value, String)> {
        let (pointer, _) = error.schema_path().as_str().rsplit_once('/')?;
        Some((self.source.schema.pointer(pointer)?, pointer.to_owned()))
    }

    /// The names that the schemas around an error declare for the value that it is about.
    pub(super) fn declared(&self, error: &ValidationError<'_>) -> Vec<String> {
        let node = self
            .object(error)
            .and_then(|(_, pointer)| self.source.outline.at(&pointer));
        node.map(|node| declared(&self.source.outline, node))
            .unwrap_or_default()
    }
}

fn declared(outline: &Outline, node: NodeId) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut seen = BTreeSet::from([node]);
    let mut open = vec![node];
    while let Some(id) = open.pop() {
        let node = outline.node(id);
        names.extend(node.properties.keys().map(ToString::to_string));
        let here = node
            .here()
            .filter(|edge| !matches!(edge.via, Via::Not | Via::If));
        open.extend(here.map(|edge| edge.to).filter(|to| seen.insert(*to)));
    }
    names.into_iter().collect()
}
