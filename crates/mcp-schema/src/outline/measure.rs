//! What validating one given value costs at worst: how often each schema object is visited for
//! each part of the value. Exact where the cost by levels only bounds, since it knows the names that
//! are there; asked only where that bound is too high.

use std::collections::BTreeMap;

use serde_json::Value;

use super::cost::Cost;
use super::edge::Via;
use super::graph::{NodeId, Outline};

/// How often schema objects are visited for one value.
type Visits = BTreeMap<NodeId, u64>;

impl Cost {
    /// Visits of schema objects for a value; at least `limit` where there are more.
    pub(crate) fn measure(&self, outline: &Outline, value: &Value, limit: u64) -> u64 {
        let mut measure = Measure {
            cost: self,
            outline,
            limit,
            total: 0,
        };
        measure.value(Visits::from([(0, 1)]), value);
        measure.total
    }
}

struct Measure<'a> {
    cost: &'a Cost,
    outline: &'a Outline,
    limit: u64,
    /// Grows with every step, so that the measuring ends with the limit.
    total: u64,
}

impl Measure<'_> {
    fn value(&mut self, visits: Visits, value: &Value) {
        let visits = self.in_place(visits);
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    if self.is_over(&visits) {
                        return;
                    }
                    self.member(&visits, name, member);
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if self.is_over(&visits) {
                        return;
                    }
                    self.item(&visits, index, item);
                }
            }
            _ => {}
        }
    }

    /// Follows what applies to the same value.
    fn in_place(&mut self, visits: Visits) -> Visits {
        let place = |id: NodeId| self.cost.place(id);
        let mut open: BTreeMap<usize, (NodeId, u64)> = visits
            .into_iter()
            .map(|(id, count)| (place(id), (id, count)))
            .collect();
        let mut done = Visits::new();
        while let Some((at, (id, count))) = open.pop_last() {
            let node = self.outline.node(id);
            self.total = self.total.saturating_add(count.saturating_mul(node.weight));
            done.insert(id, count);
            let factor = node.factor();
            // An edge up in the order closes a cycle, which is entered once.
            for edge in node.here().filter(|edge| self.cost.place(edge.to) < at) {
                let entry = open.entry(self.cost.place(edge.to)).or_insert((edge.to, 0));
                entry.1 = entry.1.saturating_add(count.saturating_mul(factor));
            }
        }
        done
    }

    fn member(&mut self, visits: &Visits, name: &str, member: &Value) {
        let mut below = Visits::new();
        for (id, count) in visits {
            let node = self.outline.node(*id);
            let declared = node.properties.get(name);
            if let Some(declared) = declared {
                add(&mut below, *declared, *count);
            }
            for edge in &node.edges {
                let applies = match edge.via {
                    Via::AdditionalProperties => declared.is_none(),
                    Via::Pattern(_) | Via::UnevaluatedProperties | Via::PropertyNames => true,
                    _ => false,
                };
                if applies {
                    add(&mut below, edge.to, *count);
                }
            }
        }
        self.value(below, member);
    }

    fn item(&mut self, visits: &Visits, index: usize, item: &Value) {
        let mut below = Visits::new();
        for (id, count) in visits {
            for edge in &self.outline.node(*id).edges {
                let applies = match edge.via {
                    Via::Prefix(at) => at == index,
                    Via::Items(from) => index >= from,
                    Via::Contains | Via::UnevaluatedItems => true,
                    _ => false,
                };
                if applies {
                    add(&mut below, edge.to, *count);
                }
            }
        }
        self.value(below, item);
    }

    /// Looking at an edge costs as well: schemas may have many.
    fn is_over(&mut self, visits: &Visits) -> bool {
        let edges = visits.keys().map(|id| self.outline.node(*id).edges.len());
        let looked_at = u64::try_from(edges.sum::<usize>() / EDGES_A_VISIT).unwrap_or(u64::MAX);
        self.total = self.total.saturating_add(looked_at);
        self.total >= self.limit
    }
}

/// Edges that can be looked at in the time of a visit.
const EDGES_A_VISIT: usize = 16;

fn add(visits: &mut Visits, id: NodeId, count: u64) {
    let entry = visits.entry(id).or_insert(0);
    *entry = entry.saturating_add(count);
}
