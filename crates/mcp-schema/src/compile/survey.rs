//! What the validator cannot take as it is: found on the walk over a schema, and put right in the
//! validator's copy.

use std::collections::{BTreeSet, HashMap};

use jsonschema::{Draft, ValidationOptions, Validator};
use serde_json::{Map, Value};

use super::pattern::{Judgement, Patterns};
use super::switch_off::{Impossible, switch_off};
use super::tolerate;
use crate::coverage::Note;
use crate::dialect;
use crate::limits::MAX_PATTERNS;
use crate::outline::{NodeId, Outline};
use crate::path::schema_place;
use crate::words;

/// What was found on the way to a checker.
#[derive(Default)]
pub(super) struct Remarks {
    pub(super) notes: Vec<Note>,
    pub(super) partial: bool,
}

/// What is wrong with a schema: the place and the fault.
pub(super) type Fault = (String, String);

/// A schema that compiled.
pub(super) struct Fitted {
    pub(super) validator: Validator,
    pub(super) options: ValidationOptions<'static>,
    /// How the server wrote the patterns that were written anew.
    pub(super) originals: HashMap<String, String>,
}

/// What a walk over the schema finds that the validator cannot take as it is.
pub(super) struct Survey {
    draft: Draft,
    patterns: Vec<(NodeId, String, bool)>,
    untidy: Vec<NodeId>,
    empty_enums: Vec<NodeId>,
}

impl Survey {
    pub(super) fn new(draft: Draft) -> Self {
        Self {
            draft,
            patterns: Vec::new(),
            untidy: Vec::new(),
            empty_enums: Vec::new(),
        }
    }

    pub(super) fn meet(&mut self, id: NodeId, schema: &Map<String, Value>) {
        if let Some(Value::String(pattern)) = schema.get("pattern") {
            self.patterns.push((id, pattern.clone(), false));
        }
        if let Some(Value::Object(keys)) = schema.get("patternProperties") {
            self.patterns
                .extend(keys.keys().map(|key| (id, key.clone(), true)));
        }
        if tolerate::is_untidy(schema, self.draft) {
            self.untidy.push(id);
        }
        if tolerate::is_empty(schema, "enum") {
            self.empty_enums.push(id);
        }
    }

    pub(super) fn remarks(&self, schema: &Value, outline: &Outline, reached: &[bool]) -> Remarks {
        let empty = self.empty_enums.iter().filter(|id| reached[**id]);
        let notes = empty.map(|id| {
            let place = schema_place(&format!("{}/enum", outline.pointer(*id)), schema);
            Note::new(place, "the list is empty, so no value is accepted")
        });
        Remarks {
            notes: notes.collect(),
            partial: false,
        }
    }

    /// Makes a schema fit for the validator, and compiles it.
    pub(super) fn fit(
        &self,
        schema: &mut Value,
        outline: &Outline,
        remarks: &mut Remarks,
    ) -> Result<Fitted, Fault> {
        self.tidy(schema, outline);
        let names: BTreeSet<&str> = self
            .patterns
            .iter()
            .map(|(_, name, _)| name.as_str())
            .collect();
        let count = names.len();
        if (1..=MAX_PATTERNS).contains(&count) {
            // Nearly always all patterns compile, and with the schema they cost little.
            let mut copy = schema.clone();
            let (patterns, _) = self.judge(Patterns::new(count, false), &mut copy, outline);
            if let Ok(fitted) = self.compile(patterns, &copy) {
                *schema = copy;
                return Ok(fitted);
            }
        }
        let (patterns, impossible) = self.judge(Patterns::new(count, true), schema, outline);
        remarks.partial |= !impossible.is_empty();
        remarks
            .notes
            .extend(switch_off(schema, outline, &impossible));
        self.compile(patterns, schema)
    }

    fn compile(&self, patterns: Patterns, schema: &Value) -> Result<Fitted, Fault> {
        let (options, originals) = patterns.finish();
        let options = options.with_draft(self.draft);
        let validator = options.build(schema);
        let validator = validator.map_err(|error| words::schema_fault(&error, schema))?;
        Ok(Fitted {
            validator,
            options,
            originals,
        })
    }

    fn tidy(&self, schema: &mut Value, outline: &Outline) {
        for id in &self.untidy {
            if let Some(Value::Object(object)) = schema.pointer_mut(&outline.pointer(*id)) {
                tolerate::tidy(object, self.draft);
            }
        }
        if let Value::Object(members) = schema
            && members.contains_key("$schema")
        {
            members.insert("$schema".to_owned(), dialect::address(self.draft).into());
        }
    }

    /// Writes the patterns for the engine; returns those that it cannot compile.
    fn judge(
        &self,
        mut patterns: Patterns,
        schema: &mut Value,
        outline: &Outline,
    ) -> (Patterns, Vec<Impossible>) {
        let mut impossible = Vec::new();
        for (node, pattern, is_key) in &self.patterns {
            let (node, is_key) = (*node, *is_key);
            match patterns.judge(pattern) {
                Judgement::Fine => {}
                Judgement::Rewritten(written) => {
                    rewrite(schema, outline, node, (pattern, &written), is_key);
                }
                Judgement::Impossible => {
                    let pattern = pattern.clone();
                    impossible.push(Impossible {
                        node,
                        pattern,
                        is_key,
                    });
                }
            }
        }
        (patterns, impossible)
    }
}

fn rewrite(
    schema: &mut Value,
    outline: &Outline,
    node: NodeId,
    (from, to): (&str, &str),
    is_key: bool,
) {
    let Some(Value::Object(object)) = schema.pointer_mut(&outline.pointer(node)) else {
        return;
    };
    if !is_key {
        object.insert("pattern".to_owned(), to.into());
    } else if let Some(Value::Object(keys)) = object.get_mut("patternProperties")
        && let Some(inner) = keys.remove(from)
    {
        keys.insert(to.to_owned(), inner);
    }
}
