//! Switches off what a pattern that cannot be compiled would decide. A schema with a keyword off
//! must accept all that it accepted before; so what turns acceptance around (`not`, `if`, `oneOf`,
//! a maximum of matches) goes with a pattern that it depends on.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::coverage::Note;
use crate::outline::{NodeId, Outline, Via};
use crate::path::schema_place;
use crate::words::quoted;

/// A pattern that cannot be compiled.
#[derive(Debug)]
pub(crate) struct Impossible {
    pub(crate) node: NodeId,
    pub(crate) pattern: String,
    /// It is a key of `patternProperties`, rather than the keyword `pattern`.
    pub(crate) is_key: bool,
}

/// Takes the keywords off the schema; says which, and why.
pub(crate) fn switch_off(
    schema: &mut Value,
    outline: &Outline,
    impossible: &[Impossible],
) -> Vec<Note> {
    if impossible.is_empty() {
        return Vec::new();
    }
    let into = incoming(outline);
    let mut plan = Plan::default();
    let mut notes = Vec::new();
    for found in impossible {
        let keyword = if found.is_key {
            "patternProperties"
        } else {
            "pattern"
        };
        let message = format!(
            "cannot compile {}, so it is not checked",
            quoted(&found.pattern)
        );
        notes.push(Note::new(
            place(schema, outline, found.node, keyword),
            message,
        ));
        if found.is_key {
            plan.remove_key(found.node, &found.pattern);
            plan.remove(found.node, "additionalProperties");
            plan.unevaluate(found.node, &into);
        } else {
            plan.remove(found.node, "pattern");
        }
    }
    let uncertain = reaching(impossible.iter().map(|found| found.node), &into.all);
    plan.turn_around(outline, &uncertain, &into);
    notes.extend(plan.apply(schema, outline));
    notes
}

/// The edges, backwards.
struct Incoming {
    all: Vec<Vec<NodeId>>,
    here: Vec<Vec<NodeId>>,
}

fn incoming(outline: &Outline) -> Incoming {
    let mut all = vec![Vec::new(); outline.len()];
    let mut here = vec![Vec::new(); outline.len()];
    for id in 0..outline.len() {
        for to in outline.node(id).applied() {
            all[to].push(id);
        }
        for edge in outline.node(id).here() {
            here[edge.to].push(id);
        }
    }
    Incoming { all, here }
}

/// The nodes from which one of some nodes can be reached, themselves included.
fn reaching(from: impl Iterator<Item = NodeId>, incoming: &[Vec<NodeId>]) -> BTreeSet<NodeId> {
    let mut reached = BTreeSet::new();
    let mut stack: Vec<NodeId> = from.collect();
    while let Some(id) = stack.pop() {
        if reached.insert(id) {
            stack.extend(&incoming[id]);
        }
    }
    reached
}

/// What goes, by node.
#[derive(Default)]
struct Plan {
    keywords: BTreeMap<NodeId, BTreeSet<&'static str>>,
    keys: Vec<(NodeId, String)>,
    relaxed: BTreeSet<NodeId>,
}

impl Plan {
    fn remove(&mut self, node: NodeId, keyword: &'static str) {
        self.keywords.entry(node).or_default().insert(keyword);
    }

    fn remove_key(&mut self, node: NodeId, key: &str) {
        self.keys.push((node, key.to_owned()));
    }

    /// What a node evaluated is no longer known, here and where it applies to the same value.
    fn unevaluate(&mut self, node: NodeId, into: &Incoming) {
        for id in reaching(std::iter::once(node), &into.here) {
            self.remove(id, "unevaluatedProperties");
            self.remove(id, "unevaluatedItems");
        }
    }

    fn turn_around(&mut self, outline: &Outline, uncertain: &BTreeSet<NodeId>, into: &Incoming) {
        for id in 0..outline.len() {
            for edge in &outline.node(id).edges {
                if !uncertain.contains(&edge.to) {
                    continue;
                }
                match edge.via {
                    Via::Not => self.remove(id, "not"),
                    Via::If => {
                        for keyword in ["if", "then", "else"] {
                            self.remove(id, keyword);
                        }
                        self.unevaluate(id, into);
                    }
                    Via::OneOf => {
                        self.relaxed.insert(id);
                    }
                    Via::Contains => self.remove(id, "maxContains"),
                    _ => {}
                }
            }
        }
    }

    fn apply(self, schema: &mut Value, outline: &Outline) -> Vec<Note> {
        let mut notes = Vec::new();
        for (node, key) in &self.keys {
            if let Some(Value::Object(keys)) = object(schema, outline, *node)
                .and_then(|object| object.get_mut("patternProperties"))
            {
                keys.remove(key);
            }
        }
        for (node, keywords) in &self.keywords {
            for keyword in keywords {
                let place = place(schema, outline, *node, keyword);
                let removed =
                    object(schema, outline, *node).and_then(|object| object.remove(*keyword));
                if removed.is_some() && *keyword != "pattern" {
                    notes.push(Note::new(
                        place,
                        "not checked, since it depends on that pattern",
                    ));
                }
            }
        }
        // Last, since the places below change with it.
        for node in self.relaxed.iter().rev() {
            let place = place(schema, outline, *node, "oneOf");
            if object(schema, outline, *node).is_some_and(relax) {
                let message = "one branch or more may match, since it depends on that pattern";
                notes.push(Note::new(place, message));
            }
        }
        notes
    }
}

/// Lets more than one branch of `oneOf` match.
fn relax(object: &mut Map<String, Value>) -> bool {
    let Some(branches) = object.remove("oneOf") else {
        return false;
    };
    let relaxed = serde_json::json!({ "anyOf": branches });
    match object
        .entry("allOf")
        .or_insert_with(|| Value::Array(Vec::new()))
    {
        Value::Array(all) => all.push(relaxed),
        malformed => *malformed = Value::Array(vec![relaxed]),
    }
    true
}

fn object<'a>(
    schema: &'a mut Value,
    outline: &Outline,
    node: NodeId,
) -> Option<&'a mut Map<String, Value>> {
    schema
        .pointer_mut(&outline.pointer(node))
        .and_then(Value::as_object_mut)
}

fn place(schema: &Value, outline: &Outline, node: NodeId, keyword: &str) -> String {
    schema_place(&format!("{}/{keyword}", outline.pointer(node)), schema)
}
