//! What a validation may cost at worst, computed before it starts: visits of schema nodes for one
//! value of the instance, and schema nodes on the stack at once. References are expanded; a cycle
//! of them is counted once per level of the instance.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::edge::Via;
use super::graph::{Node, NodeId, Outline};
use super::order::{Order, order};
use crate::limits::BACKTRACKING_COST;

/// One visit of a bundled meta-schema, which is not expanded here.
pub(super) const FOREIGN_WEIGHT: u64 = 400;

/// A keyword that has to know what others evaluated visits them again.
const UNEVALUATED_FACTOR: u64 = 3;

/// Members and values of `enum` and `required` that cost about as much as a visit.
const CHEAP_ENTRIES: usize = 8;

/// The cost of a schema, level by level of the instance.
#[derive(Debug)]
pub(crate) struct Cost {
    order: Order,
    levels: Mutex<Levels>,
}

#[derive(Debug, Default)]
struct Levels {
    /// The figures of the level that was computed last, for every node.
    last: Vec<Figures>,
    /// The largest figures of the root up to each level.
    root: Vec<Load>,
    /// Deeper levels hold nothing that applies.
    done: bool,
}

/// A load on the validator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Load {
    /// Visits of schema nodes, for each value of the instance.
    pub(crate) visits: u64,
    /// Schema nodes on the stack at once.
    pub(crate) height: u64,
}

/// What a node costs at one level below its own value, by the kind of that value.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    object: u64,
    array: u64,
    height: u64,
}

impl Figures {
    fn visits(self) -> u64 {
        self.object.max(self.array)
    }
}

/// What one visit of a schema object costs by itself.
pub(super) fn weight(schema: &Value) -> u64 {
    let length = |keyword: &str| match schema.get(keyword) {
        Some(Value::Array(values)) => values.len(),
        Some(Value::Object(members)) => members.len(),
        _ => 0,
    };
    let entries = length("enum") + length("required") + length("properties");
    let pattern = schema.get("pattern").and_then(Value::as_str).into_iter();
    let keys = schema
        .get("patternProperties")
        .and_then(Value::as_object)
        .into_iter();
    let patterns = pattern.chain(keys.flat_map(|keys| keys.keys().map(String::as_str)));
    let slow = u64::try_from(patterns.filter(|pattern| may_backtrack(pattern)).count());
    let entries = u64::try_from(entries / CHEAP_ENTRIES);
    1 + entries.unwrap_or(u64::MAX / 4)
        + slow
            .unwrap_or(u64::MAX / 4)
            .saturating_mul(BACKTRACKING_COST)
}

/// Whether a pattern may need the engine that steps back, rather than the linear one.
fn may_backtrack(pattern: &str) -> bool {
    let refers_back = |pair: &[u8]| pair[0] == b'\\' && matches!(pair[1], b'1'..=b'9' | b'k');
    ["(?=", "(?!", "(?<", "(?>"]
        .iter()
        .any(|group| pattern.contains(group))
        || pattern.as_bytes().windows(2).any(refers_back)
}

impl Cost {
    pub(crate) fn new(outline: &Outline) -> Self {
        Self {
            order: order(outline),
            levels: Mutex::default(),
        }
    }

    /// A schema that applies to its own value again in more than one way.
    pub(crate) fn tangled(&self) -> Option<NodeId> {
        self.order.tangled
    }

    /// A node's place in the order: beyond that of all that it leads to in place.
    pub(super) fn place(&self, id: NodeId) -> usize {
        self.order.place[id]
    }

    /// The worst load for an instance of some depth.
    pub(crate) fn load(&self, outline: &Outline, depth: usize) -> Load {
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        while levels.root.len() <= depth && !levels.done {
            self.add_level(outline, &mut levels);
        }
        levels
            .root
            .get(depth)
            .or(levels.root.last())
            .copied()
            .unwrap_or_default()
    }

    fn add_level(&self, outline: &Outline, levels: &mut Levels) {
        let first = levels.root.is_empty();
        let mut figures = vec![Figures::default(); outline.nodes.len()];
        for id in &self.order.nodes {
            let node = &outline.nodes[*id];
            let mut own = self.in_place(*id, node, &figures, first);
            if !first {
                own.add(below(node, &levels.last));
            }
            figures[*id] = own;
        }
        let root = figures[0];
        let before = levels.root.last().copied().unwrap_or_default();
        levels.done = figures.iter().all(|figures| figures.visits() == 0);
        levels.root.push(Load {
            visits: before.visits.max(root.visits()),
            height: before.height.max(root.height),
        });
        levels.last = figures;
    }

    /// The node itself, and what applies to the same value.
    fn in_place(&self, id: NodeId, node: &Node, figures: &[Figures], first: bool) -> Figures {
        let own = if first || node.is_foreign() {
            node.weight
        } else {
            0
        };
        let mut sum = Figures {
            object: own,
            array: own,
            height: 0,
        };
        let factor = node.factor();
        for edge in node.here() {
            let inner = figures[edge.to];
            sum.object = sum
                .object
                .saturating_add(inner.object.saturating_mul(factor));
            sum.array = sum.array.saturating_add(inner.array.saturating_mul(factor));
            sum.height = sum.height.max(inner.height);
        }
        let steps = u64::try_from(self.order.cycle[id]).unwrap_or(u64::MAX);
        sum.height = sum.height.saturating_add(steps);
        sum
    }
}

impl Node {
    /// How often a visit goes on to what applies to the same value.
    pub(super) fn factor(&self) -> u64 {
        let again = |edge: &super::edge::Edge| {
            matches!(edge.via, Via::UnevaluatedProperties | Via::UnevaluatedItems)
        };
        if self.edges.iter().any(again) {
            UNEVALUATED_FACTOR
        } else {
            1
        }
    }
}

impl Figures {
    fn add(&mut self, below: Self) {
        self.object = self.object.saturating_add(below.object);
        self.array = self.array.saturating_add(below.array);
        self.height = self.height.max(below.height.saturating_add(1));
    }
}

/// What applies to one member or item of the value: the worst of those that exclude each other,
/// and all of those that do not.
fn below(node: &Node, last: &[Figures]) -> Figures {
    let mut worst = Figures::default();
    let mut every = Figures::default();
    let mut height = 0;
    for declared in node.properties.values().map(|id| last[*id]) {
        worst.object = worst.object.max(declared.visits());
        height = height.max(declared.height);
    }
    for edge in &node.edges {
        let figures = last[edge.to];
        let visits = figures.visits();
        match edge.via {
            Via::AdditionalProperties => worst.object = worst.object.max(visits),
            Via::Prefix(_) | Via::Items(_) => worst.array = worst.array.max(visits),
            Via::Pattern(_) | Via::UnevaluatedProperties | Via::PropertyNames => {
                every.object = every.object.saturating_add(visits);
            }
            Via::Contains | Via::UnevaluatedItems => {
                every.array = every.array.saturating_add(visits);
            }
            _ => continue,
        }
        height = height.max(figures.height);
    }
    Figures {
        object: worst.object.saturating_add(every.object),
        array: worst.array.saturating_add(every.array),
        height,
    }
}
