//! Walks a value beside its schema and takes the nulls out.

use std::collections::{BTreeSet, HashMap};

use jsonschema::Validator;
use serde_json::Value;

use super::applicable::{Applicable, null_members};
use super::branches::settle;
use crate::compile::Checker;
use crate::outline::{NodeId, Outline};
use crate::path::Step;

/// Values that may be visited, over all tries of alternatives. Beyond it nothing is left out, and
/// the violations speak for themselves.
const BUDGET: usize = 1_000_000;

/// The places of the members to leave out of an instance, and the instance without them.
pub(crate) fn droppable(checker: &Checker, instance: &Value) -> Option<(Vec<Vec<Step>>, Value)> {
    let mut cleaner = Cleaner {
        checker,
        budget: BUDGET,
        patterns: HashMap::new(),
        nullable: HashMap::new(),
        trying: Vec::new(),
    };
    let mut value = instance.clone();
    let drops = cleaner.clean(&[0], &BTreeSet::new(), &mut value);
    (!drops.is_empty() && cleaner.budget > 0).then_some((drops, value))
}

/// The places that were dropped, seen from the value that was cleaned.
pub(super) type Drops = Vec<Vec<Step>>;

pub(super) struct Cleaner<'a> {
    checker: &'a Checker,
    budget: usize,
    patterns: HashMap<Box<str>, Option<Validator>>,
    nullable: HashMap<NodeId, bool>,
    /// The branches that are being tried on the present value: one that leads to itself ends.
    trying: Vec<NodeId>,
}

impl<'a> Cleaner<'a> {
    pub(super) fn outline(&self) -> &'a Outline {
        &self.checker.source.outline
    }

    /// Cleans one value to which some schemas apply; `required` names the members that schemas
    /// around these require.
    pub(super) fn clean(
        &mut self,
        schemas: &[NodeId],
        required: &BTreeSet<Box<str>>,
        value: &mut Value,
    ) -> Drops {
        let mut drops = Vec::new();
        if !self.spend(1) || !(value.is_object() || value.is_array()) {
            return drops;
        }
        let (mut applicable, mut needed) = self.applying(schemas, required, value);
        // A member that is gone may meet another condition, which requires others.
        while self.drop_members(&applicable, &needed, value, &mut drops) {
            (applicable, needed) = self.applying(schemas, required, value);
        }
        self.descend(&applicable, value, &mut drops);
        for group in &applicable.groups {
            settle(self, group, &needed, value, &mut drops);
        }
        drops
    }

    /// What applies to a value, and which members it must have then.
    fn applying(
        &mut self,
        schemas: &[NodeId],
        required: &BTreeSet<Box<str>>,
        value: &Value,
    ) -> (Applicable, BTreeSet<Box<str>>) {
        let applicable = Applicable::to(self, schemas, value);
        let own = applicable.required(self);
        (applicable, own.union(required).cloned().collect())
    }

    fn drop_members(
        &mut self,
        applicable: &Applicable,
        required: &BTreeSet<Box<str>>,
        value: &mut Value,
        drops: &mut Drops,
    ) -> bool {
        let Value::Object(members) = value else {
            return false;
        };
        let before = drops.len();
        for name in null_members(members) {
            let declaring = applicable.declaring(self, &name);
            let refused = declaring.iter().any(|schema| !self.accepts_null(*schema));
            if refused && !required.contains(name.as_str()) {
                members.remove(&name);
                drops.push(vec![Step::member(&name)]);
            }
        }
        drops.len() > before
    }

    fn descend(&mut self, applicable: &Applicable, value: &mut Value, drops: &mut Drops) {
        // What is being tried concerns the value around, not its parts.
        let trying = std::mem::take(&mut self.trying);
        let none = BTreeSet::new();
        match value {
            Value::Object(members) => {
                for (name, member) in members.iter_mut().filter(|(_, member)| holds_null(member)) {
                    let schemas = applicable.of_member(self, name);
                    let inner = self.clean(&schemas, &none, member);
                    drops.extend(
                        inner
                            .into_iter()
                            .map(|rest| below(Step::member(name), rest)),
                    );
                }
            }
            Value::Array(items) => {
                for (index, item) in items
                    .iter_mut()
                    .enumerate()
                    .filter(|(_, item)| holds_null(item))
                {
                    let schemas = applicable.of_item(self, index);
                    let inner = self.clean(&schemas, &none, item);
                    drops.extend(inner.into_iter().map(|rest| below(Step::Item(index), rest)));
                }
            }
            _ => {}
        }
        self.trying = trying;
    }

    /// Tries a branch on a copy of the value.
    pub(super) fn attempt(
        &mut self,
        branch: NodeId,
        required: &BTreeSet<Box<str>>,
        value: &Value,
    ) -> Option<(Drops, Value)> {
        if self.trying.contains(&branch) || !self.spend(size(value)) {
            return None;
        }
        self.trying.push(branch);
        let mut copy = value.clone();
        let drops = self.clean(&[branch], required, &mut copy);
        self.trying.pop();
        (!drops.is_empty() && self.passes(branch, &copy)).then_some((drops, copy))
    }

    pub(super) fn passes(&mut self, schema: NodeId, value: &Value) -> bool {
        let cost = size(value) + self.checker.branch_cost(schema);
        self.spend(cost) && self.checker.passes(schema, value)
    }

    pub(super) fn matches(&mut self, pattern: &str, name: &str) -> bool {
        let checker = self.checker;
        let compiled = self
            .patterns
            .entry(pattern.into())
            .or_insert_with(|| checker.pattern(pattern));
        compiled
            .as_ref()
            .is_some_and(|compiled| compiled.is_valid(&Value::from(name)))
    }

    fn accepts_null(&mut self, schema: NodeId) -> bool {
        let outline = &self.checker.source.outline;
        *self
            .nullable
            .entry(schema)
            .or_insert_with(|| outline.accepts_null(schema))
    }

    /// Takes from the budget; false once it is used up.
    fn spend(&mut self, amount: usize) -> bool {
        self.budget = self.budget.saturating_sub(amount);
        self.budget > 0
    }
}

/// Puts a step in front of a place.
fn below(step: Step, mut rest: Vec<Step>) -> Vec<Step> {
    rest.insert(0, step);
    rest
}

/// Whether some member in a value is null.
fn holds_null(value: &Value) -> bool {
    match value {
        Value::Object(members) => members
            .values()
            .any(|member| member.is_null() || holds_null(member)),
        Value::Array(items) => items.iter().any(holds_null),
        _ => false,
    }
}

/// Values in a value, itself included.
fn size(value: &Value) -> usize {
    match value {
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}
