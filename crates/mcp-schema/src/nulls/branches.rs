//! Alternatives: a branch matches if it accepts the value once its own droppable nulls are gone.

use std::collections::BTreeSet;

use serde_json::Value;

use super::applicable::Group;
use super::clean::{Cleaner, Drops};
use crate::path::Step;

/// Takes out of a value what the matching branches let go. Where the value fits as it stands, or
/// no branch matches, nothing is taken.
pub(super) fn settle(
    cleaner: &mut Cleaner<'_>,
    group: &Group,
    required: &BTreeSet<Box<str>>,
    value: &mut Value,
    drops: &mut Drops,
) {
    if fits(cleaner, group, value) {
        return;
    }
    let mut matching: Vec<(Drops, Value)> = group
        .branches
        .iter()
        .filter_map(|branch| cleaner.attempt(*branch, required, value))
        .collect();
    if !group.exactly_one
        && let Some(all) = union(&matching, value)
        && fits(cleaner, group, &all.1)
    {
        matching.insert(0, all);
    } else {
        matching.sort_by_key(|(drops, _)| drops.len());
    }
    if let Some((taken, cleaned)) = matching
        .into_iter()
        .find(|(_, cleaned)| fits(cleaner, group, cleaned))
    {
        drops.extend(taken);
        *value = cleaned;
    }
}

fn fits(cleaner: &mut Cleaner<'_>, group: &Group, value: &Value) -> bool {
    if group.exactly_one {
        let fitting = group
            .branches
            .iter()
            .filter(|branch| cleaner.passes(**branch, value));
        fitting.take(2).count() == 1
    } else {
        group
            .branches
            .iter()
            .any(|branch| cleaner.passes(*branch, value))
    }
}

/// What all matching branches let go, taken together.
fn union(matching: &[(Drops, Value)], value: &Value) -> Option<(Drops, Value)> {
    if matching.len() < 2 {
        return None;
    }
    let mut drops: Drops = matching
        .iter()
        .flat_map(|(drops, _)| drops.iter().cloned())
        .collect();
    drops.sort();
    drops.dedup();
    let mut cleaned = value.clone();
    for place in &drops {
        remove(&mut cleaned, place);
    }
    Some((drops, cleaned))
}

fn remove(value: &mut Value, place: &[Step]) {
    let (step, rest) = match place {
        [] => return,
        [step, rest @ ..] => (step, rest),
    };
    match (step, value) {
        (Step::Member(name), Value::Object(members)) if rest.is_empty() => {
            members.remove(&**name);
        }
        (Step::Member(name), Value::Object(members)) => {
            if let Some(inner) = members.get_mut(&**name) {
                remove(inner, rest);
            }
        }
        (Step::Item(index), Value::Array(items)) => {
            if let Some(inner) = items.get_mut(*index) {
                remove(inner, rest);
            }
        }
        _ => {}
    }
}
