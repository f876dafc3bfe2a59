//! The outline itself: the schema objects of a document and the edges between them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::edge::{Edge, Via};
use crate::path::push_pointer;

/// A schema object of an [`Outline`].
pub(crate) type NodeId = usize;

/// A schema's objects and how they lead to each other. The root is node 0.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(super) nodes: Vec<Node>,
    /// References that lead nowhere.
    pub(crate) broken: Vec<Broken>,
}

/// One schema object, or a boolean schema.
#[derive(Debug)]
pub(crate) struct Node {
    pub(super) origin: Origin,
    /// Length of the pointer to it.
    pub(super) pointer_length: usize,
    /// The schemas of the members that it declares: by name, since there may be many.
    pub(crate) properties: BTreeMap<Box<str>, NodeId>,
    /// What else applies somewhere.
    pub(crate) edges: Vec<Edge>,
    pub(crate) required: Vec<Box<str>>,
    /// Whether null passes the keywords of this object itself, its subschemas aside.
    pub(super) admits_null: bool,
    /// What one visit costs, its subschemas aside.
    pub(super) weight: u64,
}

/// Where a node lies.
#[derive(Debug)]
pub(super) enum Origin {
    Root,
    Child {
        parent: NodeId,
        keyword: &'static str,
        below: Option<Box<str>>,
    },
    /// At a place that only a reference leads to, such as `#/components/schemas/A`.
    Apart(Box<str>),
    /// Outside of the document, in a bundled meta-schema.
    Foreign,
}

/// A reference that leads nowhere.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) node: NodeId,
    pub(crate) keyword: &'static str,
    pub(crate) reference: String,
    /// It leads out of the document, rather than to a place that is missing in it.
    pub(crate) outside: bool,
}

impl Outline {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The JSON pointer of a node.
    pub(crate) fn pointer(&self, id: NodeId) -> String {
        let mut steps = Vec::new();
        let mut at = id;
        let mut pointer = String::new();
        loop {
            match &self.nodes[at].origin {
                Origin::Child {
                    parent,
                    keyword,
                    below,
                } => {
                    steps.push((keyword, below));
                    at = *parent;
                }
                Origin::Apart(apart) => {
                    pointer.push_str(apart);
                    break;
                }
                Origin::Root | Origin::Foreign => break,
            }
        }
        for (keyword, below) in steps.into_iter().rev() {
            push_pointer(&mut pointer, keyword);
            if let Some(below) = below {
                push_pointer(&mut pointer, below);
            }
        }
        pointer
    }

    /// The node at a JSON pointer.
    pub(crate) fn at(&self, pointer: &str) -> Option<NodeId> {
        (0..self.nodes.len()).find(|id| {
            let node = &self.nodes[*id];
            node.pointer_length == pointer.len()
                && !matches!(node.origin, Origin::Foreign)
                && self.pointer(*id) == pointer
        })
    }

    /// Whether some schema has alternatives.
    pub(crate) fn has_alternatives(&self) -> bool {
        let mut edges = self.nodes.iter().flat_map(|node| &node.edges);
        edges.any(|edge| matches!(edge.via, Via::AnyOf | Via::OneOf))
    }

    /// Bytes of all nodes' pointers together.
    pub(crate) fn pointer_bytes(&self) -> usize {
        self.nodes
            .iter()
            .fold(0, |sum, node| sum.saturating_add(node.pointer_length))
    }

    /// The nodes that something can reach from the root, as a table.
    pub(crate) fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut stack = vec![0];
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut reached[id], true) {
                stack.extend(self.nodes[id].applied());
            }
        }
        reached
    }
}

impl Node {
    pub(super) fn join(&mut self, via: Via, to: NodeId) {
        match via {
            Via::Property(name) => {
                self.properties.insert(name, to);
            }
            via => self.edges.push(Edge { via, to }),
        }
    }

    /// The nodes that apply somewhere if it does: all but definitions.
    pub(crate) fn applied(&self) -> impl Iterator<Item = NodeId> {
        let edges = self
            .edges
            .iter()
            .filter(|edge| edge.via.place() != super::Place::Nowhere);
        self.properties
            .values()
            .copied()
            .chain(edges.map(|edge| edge.to))
    }

    /// Its edges that apply to the same value.
    pub(crate) fn here(&self) -> impl Iterator<Item = &Edge> {
        self.edges
            .iter()
            .filter(|edge| edge.via.place() == super::Place::Here)
    }

    /// Whether it lies outside of the document, in a bundled meta-schema.
    pub(crate) fn is_foreign(&self) -> bool {
        matches!(self.origin, Origin::Foreign)
    }
}

/// The names that an object requires.
pub(super) fn required(schema: &Value) -> Vec<Box<str>> {
    let names = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    names.filter_map(Value::as_str).map(Into::into).collect()
}
