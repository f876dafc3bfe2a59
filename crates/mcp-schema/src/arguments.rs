//! From the text that a model wrote to the arguments that are sent.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::check::{duplicates, explain, guarded, inexact};
use crate::compile::Checker;
use crate::coverage::Note;
use crate::limits::MAX_DEPTH;
use crate::nulls::droppable;
use crate::path::{Step, written};
use crate::text::{self, Reading};
use crate::violation::{Told, Violation, Violations};
use crate::words::{self, Subject};

/// Arguments that are ready to be sent.
///
/// ```
/// # use mcp_schema::ToolSchema;
/// # use serde_json::value::RawValue;
/// let text = r#"{"type":"object","properties":{"id":{"type":"integer"},"tag":{"type":"string"}}}"#;
/// let schema = ToolSchema::new(RawValue::from_string(text.to_owned())?);
/// let arguments = schema.prepare(Some(r#"{"id":7960607143101464576,"tag":null}"#)).unwrap();
/// assert_eq!(arguments.get().get(), r#"{"id":7960607143101464576}"#);
/// assert_eq!(arguments.dropped(), ["tag"]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Arguments {
    text: Box<RawValue>,
    dropped: Vec<String>,
    notes: Vec<Note>,
}

impl Arguments {
    /// The arguments: an object, in the model's own bytes.
    pub fn get(&self) -> &RawValue {
        &self.text
    }

    /// The arguments, to be kept.
    pub fn into_raw(self) -> Box<RawValue> {
        self.text
    }

    /// The places of the nulls that were left out.
    pub fn dropped(&self) -> &[String] {
        &self.dropped
    }

    /// What a person should know about the check: where it was not exact, or not made.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
}

/// Makes arguments ready; without a checker only what holds for every schema is asked of them.
pub(crate) fn prepare(
    checker: Option<&Checker>,
    given: Option<&str>,
) -> Result<Arguments, Violations> {
    let raw = parse(given.unwrap_or_default())?;
    let mut reading = text::read(raw.get()).map_err(|_| {
        let message =
            format!("the arguments nest deeper than {MAX_DEPTH} levels, give a flatter value");
        Violations::one(Violation::new("", message))
    })?;
    if !reading.value.is_object() {
        return Err(Violations::one(not_an_object(&reading.value)));
    }
    let twice = duplicates(&reading.findings, "argument");
    if !twice.is_empty() {
        return Err(Violations::new(twice, Vec::new()));
    }
    let mut notes = inexact(&reading.findings);
    let Some(checker) = checker else {
        return Ok(Arguments {
            text: raw,
            dropped: Vec::new(),
            notes,
        });
    };
    let value = std::mem::take(&mut reading.value);
    let verdict = guarded(checker, &value, &reading, &mut notes, || {
        verdict(checker, &value, &reading)
    });
    let Verdict {
        drops,
        violations,
        notes: more,
    } = verdict.unwrap_or_default();
    notes.extend(more);
    if !violations.is_empty() {
        return Err(Violations::new(violations, notes));
    }
    let text = if drops.is_empty() {
        raw
    } else {
        spliced(&raw, &drops)?
    };
    Ok(Arguments {
        text,
        dropped: drops.iter().map(written).collect(),
        notes,
    })
}

/// What validation makes of the arguments.
#[derive(Default)]
struct Verdict {
    drops: Vec<Vec<Step>>,
    violations: Told,
    notes: Vec<Note>,
}

fn verdict(checker: &Checker, value: &Value, reading: &Reading) -> Verdict {
    let mut verdict = Verdict::default();
    if checker.is_valid(value) {
        return verdict;
    }
    let cleaned = if reading.null_members {
        droppable(checker, value)
    } else {
        None
    };
    let value = match &cleaned {
        Some((_, cleaned)) if checker.is_valid(cleaned) => None,
        Some((_, cleaned)) => Some(cleaned),
        None => Some(value),
    };
    if let Some(value) = value {
        let (subject, notes) = (Subject::Arguments, &mut verdict.notes);
        verdict.violations = explain(checker, value, reading, subject, notes);
    }
    verdict.drops = cleaned.map(|(drops, _)| drops).unwrap_or_default();
    verdict
}

/// The arguments as JSON; what only stands for "none" is an empty object.
fn parse(given: &str) -> Result<Box<RawValue>, Violations> {
    let space = [' ', '\t', '\r', '\n'];
    let given = given.trim_start_matches('\u{feff}').trim_matches(space);
    let given = if matches!(given, "" | "null") {
        "{}"
    } else {
        given
    };
    RawValue::from_string(given.to_owned()).map_err(|error| {
        let message = if error.is_eof() {
            "the arguments are cut off: the JSON text ends too early, give the whole object"
                .to_owned()
        } else {
            format!("the arguments are not valid JSON: {error}")
        };
        Violations::one(Violation::new("", message))
    })
}

fn not_an_object(value: &Value) -> Violation {
    let (_, message) = words::wrong_type(&["object"], value);
    Violation::new("", format!("the arguments {message}"))
}

fn spliced(raw: &RawValue, drops: &[Vec<Step>]) -> Result<Box<RawValue>, Violations> {
    RawValue::from_string(text::without(raw.get(), drops)).map_err(|error| {
        // Nothing is sent that was not checked; this would be a fault of the splicing.
        let message = format!("the nulls among the arguments cannot be left out: {error}");
        Violations::one(Violation::new("", message))
    })
}
