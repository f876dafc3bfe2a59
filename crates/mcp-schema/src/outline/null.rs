//! Whether a schema accepts null: decided on the outline, exactly, since null has no parts.

use std::collections::HashMap;

use jsonschema::Draft;
use serde_json::Value;

use super::edge::Via;
use super::graph::{NodeId, Outline};

/// Whether null passes a schema's own keywords, its subschemas aside.
pub(super) fn admitted(schema: &Value, draft: Draft) -> bool {
    let Value::Object(members) = schema else {
        return schema != &Value::Bool(false);
    };
    if draft < Draft::Draft201909 && members.get("$ref").is_some_and(Value::is_string) {
        return true;
    }
    let by_type = match members.get("type") {
        Some(Value::String(name)) => name == "null",
        Some(Value::Array(names)) => names.iter().any(|name| name == "null"),
        _ => true,
    };
    let by_enum = match members.get("enum") {
        Some(Value::Array(values)) => values.contains(&Value::Null),
        _ => true,
    };
    let by_const = draft < Draft::Draft6 || members.get("const").is_none_or(Value::is_null);
    by_type && by_enum && by_const
}

impl Outline {
    /// Whether a schema accepts null.
    pub(crate) fn accepts_null(&self, id: NodeId) -> bool {
        self.null_passes(id, &mut HashMap::new())
    }

    fn null_passes(&self, id: NodeId, memo: &mut HashMap<NodeId, bool>) -> bool {
        if let Some(known) = memo.get(&id) {
            return *known;
        }
        // A cycle in place decides nothing.
        memo.insert(id, true);
        let node = &self.nodes[id];
        let mut any_of = Tally::default();
        let mut one_of = Tally::default();
        let branch = node.here().find(|edge| edge.via == Via::If);
        let condition = branch.map(|branch| self.null_passes(branch.to, memo));
        let mut passes = node.admits_null;
        for edge in node.here() {
            match edge.via {
                Via::Dependent(_) | Via::If => continue,
                Via::Then if condition != Some(true) => continue,
                Via::Else if condition != Some(false) => continue,
                _ => {}
            }
            let accepted = self.null_passes(edge.to, memo);
            match edge.via {
                Via::AnyOf => any_of.count(accepted),
                Via::OneOf => one_of.count(accepted),
                Via::Not => passes &= !accepted,
                _ => passes &= accepted,
            }
        }
        passes &= any_of.branches == 0 || any_of.accepting > 0;
        passes &= one_of.branches == 0 || one_of.accepting == 1;
        memo.insert(id, passes);
        passes
    }
}

#[derive(Default)]
struct Tally {
    branches: usize,
    accepting: usize,
}

impl Tally {
    fn count(&mut self, accepted: bool) {
        self.branches += 1;
        self.accepting += usize::from(accepted);
    }
}
