//! What the validator cannot take as it is: found on the walk over a schema, and put right in the
//! validator's copy.

use std::collections::HashMap;

use jsonschema::{Draft, ValidationOptions};
use serde_json::{Map, Value};

use super::pattern::{Judgement, Patterns};
use super::switch_off::{Impossible, switch_off};
use super::tolerate;
use crate::coverage::Note;
use crate::outline::{NodeId, Outline};
use crate::path::schema_place;

/// What was found on the way to a checker.
#[derive(Default)]
pub(super) struct Remarks {
    pub(super) notes: Vec<Note>,
    pub(super) partial: bool,
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

    /// Makes the schema fit for the validator.
    pub(super) fn tidy(
        &self,
        schema: &mut Value,
        outline: &Outline,
        remarks: &mut Remarks,
    ) -> (ValidationOptions<'static>, HashMap<String, String>) {
        for id in &self.untidy {
            if let Some(Value::Object(object)) = schema.pointer_mut(&outline.pointer(*id)) {
                tolerate::tidy(object, self.draft);
            }
        }
        let mut patterns = Patterns::new(self.patterns.len());
        let mut impossible = Vec::new();
        for (node, pattern, is_key) in &self.patterns {
            let (node, is_key) = (*node, *is_key);
            match patterns.judge(pattern) {
                Judgement::Fine => {}
                Judgement::Rewritten(written) => {
                    rewrite(schema, outline, node, (pattern, &written), is_key);
                }
                Judgement::Impossible => {
                    impossible.push(Impossible {
                        node,
                        pattern: pattern.clone(),
                        is_key,
                    });
                }
            }
        }
        remarks.partial |= !impossible.is_empty();
        remarks
            .notes
            .extend(switch_off(schema, outline, &impossible));
        patterns.finish()
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
