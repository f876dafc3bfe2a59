//! One check of one value: its bounds, the validation, and what was found.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::compile::Checker;
use crate::coverage::Note;
use crate::limits::{MAX_COST, MAX_DEPTH, MAX_EXPLAINED, MAX_HEIGHT};
use crate::outline::Load;
use crate::path::written;
use crate::stack::with_room;
use crate::text::{self, Finding, FindingKind, Reading};
use crate::violation::{Told, Violation, Violations};
use crate::words::{self, Subject, quoted};

/// Stack that one schema node on the validator's way takes: some four times what was measured
/// without optimisation, since the null clean-up goes the same way.
const STACK_PER_NODE: u64 = 8 * 1024;

/// A value that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    notes: Vec<Note>,
}

impl Checked {
    /// What a person should know about the check: where it was not exact, or not made.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
}

/// Checks a value of any kind.
pub(crate) fn check(checker: Option<&Checker>, value: &RawValue) -> Result<Checked, Violations> {
    let Ok(mut reading) = text::read(value.get()) else {
        let message = format!("the value nests deeper than {MAX_DEPTH} levels and was not checked");
        return Ok(Checked {
            notes: vec![Note::new("", message)],
        });
    };
    let duplicates = duplicates(&reading.findings, "member");
    if !duplicates.is_empty() {
        return Err(Violations::new(duplicates, Vec::new()));
    }
    let mut notes = inexact(&reading.findings);
    let Some(checker) = checker else {
        return Ok(Checked { notes });
    };
    let value = std::mem::take(&mut reading.value);
    let verdict = guarded(checker, &value, &reading, &mut notes, || {
        let mut notes = Vec::new();
        if checker.is_valid(&value) {
            return (Told::default(), notes);
        }
        let told = explain(checker, &value, &reading, Subject::Value, &mut notes);
        (told, notes)
    });
    let (violations, more) = verdict.unwrap_or_default();
    notes.extend(more);
    if violations.is_empty() {
        Ok(Checked { notes })
    } else {
        Err(Violations::new(violations, notes))
    }
}

/// Runs a check if its cost is within bounds, with the stack that it needs; otherwise says so.
pub(crate) fn guarded<T: Send>(
    checker: &Checker,
    value: &Value,
    reading: &Reading,
    notes: &mut Vec<Note>,
    work: impl FnOnce() -> T + Send,
) -> Option<T> {
    let Load { visits, height } = checker.cost.load(&checker.source.outline, reading.depth);
    let size = u64::try_from(reading.size).unwrap_or(u64::MAX);
    let too_costly = visits.saturating_mul(size) > MAX_COST
        && checker
            .cost
            .measure(&checker.source.outline, value, MAX_COST)
            >= MAX_COST;
    if too_costly || height > MAX_HEIGHT {
        notes.push(Note::new(
            "",
            "not validated: the schema is too costly for a value of this size",
        ));
        return None;
    }
    let room = usize::try_from(height.saturating_mul(STACK_PER_NODE)).unwrap_or(usize::MAX);
    match with_room(room, work) {
        Ok(done) => Some(done),
        Err(reason) => {
            notes.push(Note::new("", format!("not validated: {reason}")));
            None
        }
    }
}

/// What is wrong with a value that is not valid, the most useful first.
pub(crate) fn explain(
    checker: &Checker,
    value: &Value,
    reading: &Reading,
    subject: Subject,
    notes: &mut Vec<Note>,
) -> Told {
    if checker.has_alternatives() && reading.size.saturating_mul(reading.depth) > MAX_EXPLAINED {
        let message = match subject {
            Subject::Arguments => {
                "the arguments do not fit their schema; they are too large to say where"
            }
            Subject::Value => "the value does not fit its schema; it is too large to say where",
        };
        return vec![Violation::new("", message)].into();
    }
    let errors = checker.errors(value);
    if errors.iter().any(words::is_open) {
        // The validator tries either outcome of a match that it could not finish, and tells apart
        // what holds in both; what is left open passes.
        let message = "a pattern took too many steps and was not checked";
        notes.push(Note::new("", message));
    }
    words::violations(&errors, subject, value, &checker.source)
}

/// Duplicate members, as violations.
pub(crate) fn duplicates(findings: &[Finding], root_member: &str) -> Vec<Violation> {
    let duplicates = findings
        .iter()
        .filter(|found| found.kind == FindingKind::Duplicate);
    duplicates
        .filter_map(|found| {
            let (last, around) = found.path.split_last()?;
            let crate::path::Step::Member(name) = last else {
                return None;
            };
            let member = if around.is_empty() {
                root_member
            } else {
                "member"
            };
            let message = format!("{member} {} is given twice, give it once", quoted(name));
            Some(Violation::new(written(around), message))
        })
        .collect()
}

/// Numbers that a check compares as floats.
pub(crate) fn inexact(findings: &[Finding]) -> Vec<Note> {
    findings
        .iter()
        .filter_map(|found| match &found.kind {
            FindingKind::Approximate(literal) => {
                let shown = quoted(literal);
                let bound = text::bound(literal);
                let message = format!(
                    "{} is beyond {bound}, so it was compared as a float",
                    shown.trim_matches('"')
                );
                Some(Note::new(written(&found.path), message))
            }
            FindingKind::Duplicate => None,
        })
        .collect()
}
