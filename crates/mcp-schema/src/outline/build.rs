//! Walks a schema document and builds its outline.

use std::collections::{BTreeMap, HashMap};

use jsonschema::Draft;
use serde_json::{Map, Value};

use super::edge::Via;
use super::graph::{Broken, Node, NodeId, Origin, Outline, required};
use super::keywords::{Below, Subschema, subschemas};
use super::references::{self, Found, Resources};
use super::{cost, null};

/// The outline of a whole document; `meet` sees every schema object on the way. Nothing here
/// recurses: a chain of references may be as long as the document.
pub(crate) fn outline<'a>(
    schema: &'a Value,
    draft: Draft,
    meet: &mut dyn FnMut(NodeId, &'a Map<String, Value>),
) -> Outline {
    let mut builder = Builder {
        draft,
        meet,
        outline: Outline::default(),
        known: HashMap::new(),
        resources: Resources::new(draft),
        references: Vec::new(),
    };
    builder.walk(Visit {
        schema,
        entry: Entry::Apart(String::new()),
        resource: 0,
    });
    // A reference may lead to a place that no keyword leads to, which has references of its own.
    while let Some(reference) = builder.references.pop() {
        builder.follow(reference);
    }
    builder.outline
}

/// A reference that was met on the walk.
struct Reference {
    from: NodeId,
    keyword: &'static str,
    text: String,
    resource: usize,
}

struct Builder<'a, 'm> {
    draft: Draft,
    meet: &'m mut dyn FnMut(NodeId, &'a Map<String, Value>),
    outline: Outline,
    /// Nodes by the address of their schema in the document, which stays borrowed meanwhile.
    known: HashMap<*const Value, NodeId>,
    resources: Resources<'a>,
    references: Vec<Reference>,
}

/// A schema that is still to be visited.
struct Visit<'a> {
    schema: &'a Value,
    entry: Entry,
    resource: usize,
}

/// How a visit came to its schema.
enum Entry {
    Child {
        parent: NodeId,
        keyword: &'static str,
        below: Option<Box<str>>,
        via: Via,
    },
    Apart(String),
}

impl<'a> Builder<'a, '_> {
    /// Adds a schema and everything below it; returns the first node.
    fn walk(&mut self, start: Visit<'a>) -> NodeId {
        let first = self.outline.nodes.len();
        let mut stack = vec![start];
        while let Some(visit) = stack.pop() {
            let id = self.enter(&visit.entry, visit.schema);
            let Value::Object(members) = visit.schema else {
                continue;
            };
            (self.meet)(id, members);
            let resource = self.resources.enter(visit.schema, id, visit.resource);
            self.meet_references(members, id, resource);
            // The stack turns the order around, and the order of branches matters.
            for found in subschemas(members, self.draft).into_iter().rev() {
                let Subschema {
                    keyword,
                    below,
                    via,
                    schema,
                } = found;
                // A reference may have led here before.
                if let Some(known) = self.known.get(&std::ptr::from_ref(schema)) {
                    let known = *known;
                    self.outline.nodes[id].join(via, known);
                    continue;
                }
                let below = below.map(|below| match below {
                    Below::Name(name) => name.into(),
                    Below::Index(index) => index.to_string().into_boxed_str(),
                });
                let entry = Entry::Child {
                    parent: id,
                    keyword,
                    below,
                    via,
                };
                stack.push(Visit {
                    schema,
                    entry,
                    resource,
                });
            }
        }
        first
    }

    fn enter(&mut self, entry: &Entry, schema: &'a Value) -> NodeId {
        let id = self.outline.nodes.len();
        let (origin, pointer_length) = match entry {
            Entry::Apart(pointer) if id == 0 => (Origin::Root, pointer.len()),
            Entry::Apart(pointer) => (Origin::Apart(pointer.as_str().into()), pointer.len()),
            Entry::Child {
                parent,
                keyword,
                below,
                via,
            } => {
                let above = self.outline.nodes[*parent].pointer_length;
                let own = below.as_ref().map_or(0, |below| pointer_length(below));
                self.outline.nodes[*parent].join(via.clone(), id);
                let (parent, below) = (*parent, below.clone());
                let length = above + keyword.len() + 1 + own;
                (
                    Origin::Child {
                        parent,
                        keyword,
                        below,
                    },
                    length,
                )
            }
        };
        self.outline.nodes.push(Node {
            origin,
            pointer_length,
            properties: BTreeMap::new(),
            edges: Vec::new(),
            required: required(schema),
            admits_null: null::admitted(schema, self.draft),
            weight: cost::weight(schema),
        });
        self.known.insert(std::ptr::from_ref(schema), id);
        id
    }

    fn meet_references(&mut self, members: &Map<String, Value>, from: NodeId, resource: usize) {
        for keyword in references::keywords(self.draft) {
            if let Some(Value::String(text)) = members.get(*keyword) {
                let text = text.clone();
                self.references.push(Reference {
                    from,
                    keyword,
                    text,
                    resource,
                });
            }
        }
    }

    fn follow(&mut self, reference: Reference) {
        let Reference {
            from,
            keyword,
            text,
            resource,
        } = reference;
        let to = match self.resources.resolve(&text, resource, keyword != "$ref") {
            Found::Schema {
                schema,
                resource,
                below,
            } => match self.known.get(&std::ptr::from_ref(schema)) {
                Some(known) => *known,
                None => self.walk_apart(schema, resource, &below),
            },
            Found::Foreign => self.foreign(),
            Found::Nothing { outside } => {
                self.outline.broken.push(Broken {
                    node: from,
                    keyword,
                    reference: text,
                    outside,
                });
                return;
            }
        };
        self.outline.nodes[from].join(Via::Reference, to);
    }

    fn walk_apart(&mut self, schema: &'a Value, resource: usize, below: &str) -> NodeId {
        let pointer = self.outline.pointer(self.resources.node(resource)) + below;
        self.walk(Visit {
            schema,
            entry: Entry::Apart(pointer),
            resource,
        })
    }

    fn foreign(&mut self) -> NodeId {
        let id = self.outline.nodes.len();
        self.outline.nodes.push(Node {
            origin: Origin::Foreign,
            pointer_length: 0,
            properties: BTreeMap::new(),
            edges: Vec::new(),
            required: Vec::new(),
            admits_null: true,
            weight: cost::FOREIGN_WEIGHT,
        });
        id
    }
}

fn pointer_length(name: &str) -> usize {
    name.len() + name.matches(['~', '/']).count() + 1
}
