//! The steps from a schema's text to a checker, and what may end them early.

use serde_json::Value;

use super::checker::{Checker, Source};
use super::survey::{Remarks, Survey};
use crate::coverage::{Coverage, Note};
use crate::dialect::{self, UnknownDialect};
use crate::limits::{
    MAX_COST, MAX_DEPTH, MAX_HEIGHT, MAX_NODES, MAX_POINTER_BYTES, MAX_SCHEMA_BYTES,
};
use crate::outline::{Broken, Cost, Outline, outline};
use crate::path::{schema_place, written};
use crate::stack::with_room;
use crate::text::{self, FindingKind, Reading};
use crate::words::{self, quoted};

/// What became of a schema.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) checker: Option<Checker>,
    pub(crate) coverage: Coverage,
    pub(crate) notes: Vec<Note>,
}

/// Why nothing is validated.
struct Nothing(Note);

/// Stack that compiling takes for each level of the schema's text: about twice what was measured
/// without optimisation.
const STACK_PER_LEVEL: usize = 10 * 1024;

/// Targets of references that the library compiles within each other.
const NESTED_TARGETS: usize = 9;

/// Compiles a schema's text.
pub(crate) fn compile(text: &str) -> Outcome {
    let mut notes = Vec::new();
    let checker = read(text).and_then(|reading| {
        notes.extend(duplicates(&reading));
        let refers = text.contains("$ref") || text.contains("Ref\"");
        let room = reading.depth * STACK_PER_LEVEL * if refers { NESTED_TARGETS } else { 1 };
        let built = with_room(room, || build(reading.value));
        built.unwrap_or_else(|reason| Err(nothing("", reason)))
    });
    match checker {
        Ok((checker, more)) => {
            let coverage = if more.partial {
                Coverage::Partial
            } else {
                Coverage::Full
            };
            notes.extend(more.notes);
            Outcome {
                checker: Some(checker),
                coverage,
                notes,
            }
        }
        Err(Nothing(note)) => {
            notes.insert(0, note);
            Outcome {
                checker: None,
                coverage: Coverage::None,
                notes,
            }
        }
    }
}

fn nothing(path: impl Into<String>, reason: impl std::fmt::Display) -> Nothing {
    Nothing(Note::new(path, format!("nothing is validated: {reason}")))
}

fn read(text: &str) -> Result<Reading, Nothing> {
    if text.len() > MAX_SCHEMA_BYTES {
        let reason = format!(
            "the schema has {} bytes, the limit is {MAX_SCHEMA_BYTES}",
            text.len()
        );
        return Err(nothing("", reason));
    }
    text::read(text).map_err(|_| {
        nothing(
            "",
            format_args!("the schema nests deeper than {MAX_DEPTH} levels"),
        )
    })
}

fn duplicates(reading: &Reading) -> impl Iterator<Item = Note> {
    let duplicates = reading
        .findings
        .iter()
        .filter(|found| found.kind == FindingKind::Duplicate);
    duplicates.map(|found| Note::new(written(&found.path), "stands twice; the last one counts"))
}

fn build(mut schema: Value) -> Result<(Checker, Remarks), Nothing> {
    if !matches!(schema, Value::Object(_) | Value::Bool(_)) {
        let reason = format!("a schema is an object, not {}", words::preview(&schema));
        return Err(nothing("", reason));
    }
    let draft = dialect::of(&schema).map_err(|UnknownDialect(address)| {
        nothing("$schema", format_args!("the dialect {address} is unknown"))
    })?;
    let mut survey = Survey::new(draft);
    let outline = outline(&schema, draft, &mut |id, object| survey.meet(id, object));
    let reached = outline.reachable();
    let cost = bounded(&schema, &outline)?;
    resolved(&schema, &outline, &reached)?;
    let mut remarks = survey.remarks(&schema, &outline, &reached);
    let fitted = survey.fit(&mut schema, &outline, &mut remarks);
    let fitted = fitted.map_err(|(place, fault)| nothing(place, fault))?;
    let source = Source {
        schema,
        outline,
        originals: fitted.originals,
    };
    let checker = Checker::new(source, cost, draft, fitted.validator, fitted.options);
    Ok((checker, remarks))
}

/// Computes the cost, and refuses what has none worth computing.
fn bounded(schema: &Value, outline: &Outline) -> Result<Cost, Nothing> {
    if outline.len() > MAX_NODES {
        let reason = format!(
            "it has {} schema objects, the limit is {MAX_NODES}",
            outline.len()
        );
        return Err(nothing("", reason));
    }
    if outline.pointer_bytes() > MAX_POINTER_BYTES {
        return Err(nothing("", "its names are too long for its size"));
    }
    let cost = Cost::new(outline);
    if let Some(node) = cost.tangled() {
        let place = schema_place(&outline.pointer(node), schema);
        return Err(nothing(
            place,
            "it applies to its own value again, in more than one way",
        ));
    }
    let load = cost.load(outline, 1);
    if load.visits > MAX_COST || load.height > MAX_HEIGHT {
        return Err(nothing("", "its references expand beyond any bound"));
    }
    Ok(cost)
}

fn resolved(schema: &Value, outline: &Outline, reached: &[bool]) -> Result<(), Nothing> {
    let Some(broken) = outline.broken.iter().find(|broken| reached[broken.node]) else {
        return Ok(());
    };
    let Broken {
        node,
        keyword,
        reference,
        outside,
    } = broken;
    let place = schema_place(&format!("{}/{keyword}", outline.pointer(*node)), schema);
    let reference = quoted(reference);
    Err(if *outside {
        nothing(
            place,
            format_args!("{reference} leads out of the schema, and nothing is fetched"),
        )
    } else {
        nothing(place, format_args!("{reference} leads nowhere"))
    })
}
