//! Which schema objects apply to one value, given the value.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::clean::Cleaner;
use crate::outline::{NodeId, Via};

/// What applies to one value.
#[derive(Default)]
pub(super) struct Applicable {
    /// The schema objects that apply whatever the alternatives say.
    pub(super) nodes: Vec<NodeId>,
    /// Lists of alternatives.
    pub(super) groups: Vec<Group>,
    seen: BTreeSet<NodeId>,
}

/// The branches of one `anyOf` or `oneOf`.
pub(super) struct Group {
    pub(super) exactly_one: bool,
    pub(super) branches: Vec<NodeId>,
}

impl Applicable {
    /// Follows references, `allOf`, and the conditions that the value meets.
    pub(super) fn to(cleaner: &mut Cleaner<'_>, from: &[NodeId], value: &Value) -> Self {
        let mut found = Self::default();
        for id in from {
            found.add(*id);
        }
        let mut at = 0;
        while let Some(id) = found.nodes.get(at).copied() {
            at += 1;
            found.expand(cleaner, id, value);
        }
        found
    }

    fn expand(&mut self, cleaner: &mut Cleaner<'_>, id: NodeId, value: &Value) {
        let outline = cleaner.outline();
        let mut groups: BTreeMap<bool, Vec<NodeId>> = BTreeMap::new();
        let condition = outline.node(id).here().find(|edge| edge.via == Via::If);
        let condition = condition.map(|edge| cleaner.passes(edge.to, value));
        for edge in outline.node(id).here() {
            let applies = match &edge.via {
                Via::Reference | Via::AllOf => true,
                Via::Then => condition == Some(true),
                Via::Else => condition == Some(false),
                Via::Dependent(name) => value.get(&**name).is_some(),
                Via::AnyOf | Via::OneOf => {
                    groups
                        .entry(edge.via == Via::OneOf)
                        .or_default()
                        .push(edge.to);
                    false
                }
                _ => false,
            };
            if applies {
                self.add(edge.to);
            }
        }
        self.groups
            .extend(groups.into_iter().map(|(exactly_one, branches)| Group {
                exactly_one,
                branches,
            }));
    }

    fn add(&mut self, id: NodeId) {
        if self.seen.insert(id) {
            self.nodes.push(id);
        }
    }

    /// The members that must be there.
    pub(super) fn required(&self, cleaner: &Cleaner<'_>) -> BTreeSet<Box<str>> {
        let outline = cleaner.outline();
        self.nodes
            .iter()
            .flat_map(|id| outline.node(*id).required.iter().cloned())
            .collect()
    }

    /// The schemas that declare a member by its name.
    pub(super) fn declaring(&self, cleaner: &Cleaner<'_>, name: &str) -> Vec<NodeId> {
        let outline = cleaner.outline();
        self.nodes
            .iter()
            .filter_map(|id| outline.node(*id).properties.get(name).copied())
            .collect()
    }

    /// Every schema that applies to a member's value.
    pub(super) fn of_member(&self, cleaner: &mut Cleaner<'_>, name: &str) -> Vec<NodeId> {
        let outline = cleaner.outline();
        let mut found = Vec::new();
        for id in &self.nodes {
            let node = outline.node(*id);
            let before = found.len();
            found.extend(node.properties.get(name));
            let mut additional = None;
            for edge in &node.edges {
                match &edge.via {
                    Via::Pattern(pattern) if cleaner.matches(pattern, name) => found.push(edge.to),
                    Via::AdditionalProperties => additional = Some(edge.to),
                    _ => {}
                }
            }
            if found.len() == before {
                found.extend(additional);
            }
        }
        found
    }

    /// Every schema that applies to an item.
    pub(super) fn of_item(&self, cleaner: &Cleaner<'_>, index: usize) -> Vec<NodeId> {
        let outline = cleaner.outline();
        let edges = self.nodes.iter().flat_map(|id| &outline.node(*id).edges);
        edges
            .filter(|edge| match edge.via {
                Via::Prefix(at) => at == index,
                Via::Items(from) => index >= from,
                _ => false,
            })
            .map(|edge| edge.to)
            .collect()
    }
}

/// The members of an object that are null.
pub(super) fn null_members(members: &Map<String, Value>) -> Vec<String> {
    members
        .iter()
        .filter(|(_, value)| value.is_null())
        .map(|(name, _)| name.clone())
        .collect()
}
