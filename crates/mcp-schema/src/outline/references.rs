//! Resolves references within one document: pointers, anchors, and embedded `$id`s. Nothing is
//! ever retrieved.

use std::collections::HashMap;

use jsonschema::{Draft, Uri, uri};
use serde_json::Value;

use super::graph::NodeId;

/// The address that a document without `$id` has for the libraries.
const DEFAULT_BASE: &str = "json-schema:///";

/// The keywords that refer to other schemas.
pub(super) fn keywords(draft: Draft) -> &'static [&'static str] {
    match draft {
        Draft::Draft202012 => &["$ref", "$dynamicRef"],
        Draft::Draft201909 => &["$ref", "$recursiveRef"],
        _ => &["$ref"],
    }
}

/// What a reference leads to.
pub(super) enum Found<'a> {
    /// A schema of the document, with the resource that it belongs to and its pointer there
    /// (empty where it was not told by a pointer).
    Schema {
        schema: &'a Value,
        resource: usize,
        below: String,
    },
    /// A bundled meta-schema.
    Foreign,
    Nothing {
        outside: bool,
    },
}

/// The addressable parts of a document: itself first, then each embedded resource.
pub(super) struct Resources<'a> {
    draft: Draft,
    list: Vec<Resource<'a>>,
    by_address: HashMap<String, usize>,
    anchors: HashMap<(usize, &'a str), Anchor<'a>>,
}

struct Resource<'a> {
    base: Option<Uri<String>>,
    schema: &'a Value,
    node: NodeId,
}

#[derive(Clone, Copy)]
struct Anchor<'a> {
    schema: &'a Value,
    dynamic: bool,
}

impl<'a> Resources<'a> {
    pub(super) fn new(draft: Draft) -> Self {
        Self {
            draft,
            list: Vec::new(),
            by_address: HashMap::new(),
            anchors: HashMap::new(),
        }
    }

    /// The root node of a resource.
    pub(super) fn node(&self, resource: usize) -> NodeId {
        self.list[resource].node
    }

    /// Takes note of a schema object's address and anchors; returns the resource that it is in.
    pub(super) fn enter(&mut self, schema: &'a Value, node: NodeId, around: usize) -> usize {
        let id = self.id_of(schema);
        let address = id
            .map(|id| id.strip_suffix('#').unwrap_or(id))
            .filter(|id| {
                // A fragment alone names a place, not a resource.
                !id.is_empty() && !id.starts_with('#') && is_address(id)
            });
        let resource = match address {
            _ if self.list.is_empty() => self.add(schema, node, address.unwrap_or(""), None),
            Some(address) => self.add(schema, node, address, Some(around)),
            None => around,
        };
        if let Some(name) = id
            .and_then(|id| id.strip_prefix('#'))
            .filter(|_| self.draft < Draft::Draft201909)
        {
            self.anchors.insert(
                (resource, name),
                Anchor {
                    schema,
                    dynamic: false,
                },
            );
        }
        for (keyword, since) in [
            ("$anchor", Draft::Draft201909),
            ("$dynamicAnchor", Draft::Draft202012),
        ] {
            if let Some(name) = schema.get(keyword).and_then(Value::as_str)
                && self.draft >= since
            {
                let dynamic = keyword == "$dynamicAnchor";
                self.anchors
                    .insert((resource, name), Anchor { schema, dynamic });
            }
        }
        resource
    }

    /// What a reference in some resource leads to.
    pub(super) fn resolve(&self, reference: &str, from: usize, dynamic: bool) -> Found<'a> {
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = if address.is_empty() {
            from
        } else {
            let Some(base) = self.list[from].base.as_ref() else {
                return Found::Nothing { outside: true };
            };
            let Ok(target) = uri::resolve_against(&base.borrow(), address) else {
                return Found::Nothing { outside: true };
            };
            match self.by_address.get(target.as_str()) {
                Some(resource) => *resource,
                None if target.as_str().contains("://json-schema.org/draft") => {
                    return Found::Foreign;
                }
                None => return Found::Nothing { outside: true },
            }
        };
        let Some(fragment) = percent_decoded(fragment) else {
            return Found::Nothing { outside: false };
        };
        if fragment.is_empty() {
            return self.whole(resource, dynamic);
        }
        if !fragment.starts_with('/') {
            return self.anchored(resource, &fragment, dynamic);
        }
        match self.list[resource].schema.pointer(&fragment) {
            Some(schema @ (Value::Object(_) | Value::Bool(_))) => Found::Schema {
                schema,
                resource,
                below: fragment,
            },
            _ => Found::Nothing { outside: false },
        }
    }

    fn whole(&self, resource: usize, dynamic: bool) -> Found<'a> {
        let recursive = |resource: &Resource<'_>| {
            resource.schema.get("$recursiveAnchor") == Some(&Value::Bool(true))
        };
        // The document's root is in every dynamic scope, and the outermost of it.
        let outermost = dynamic && recursive(&self.list[resource]) && recursive(&self.list[0]);
        let resource = if outermost { 0 } else { resource };
        Found::Schema {
            schema: self.list[resource].schema,
            resource,
            below: String::new(),
        }
    }

    fn anchored(&self, resource: usize, name: &str, dynamic: bool) -> Found<'a> {
        let Some(anchor) = self.anchors.get(&(resource, name)) else {
            return Found::Nothing { outside: false };
        };
        let outermost = self.anchors.get(&(0, name)).filter(|anchor| anchor.dynamic);
        let (anchor, resource) = match outermost {
            Some(outermost) if dynamic && anchor.dynamic => (outermost, 0),
            _ => (anchor, resource),
        };
        Found::Schema {
            schema: anchor.schema,
            resource,
            below: String::new(),
        }
    }

    fn add(
        &mut self,
        schema: &'a Value,
        node: NodeId,
        address: &str,
        around: Option<usize>,
    ) -> usize {
        let base = match around {
            Some(around) => {
                let around = self.list[around].base.as_ref();
                around.and_then(|base| uri::resolve_against(&base.borrow(), address).ok())
            }
            None if address.is_empty() => uri::from_str(DEFAULT_BASE).ok(),
            None => uri::from_str(address).ok(),
        };
        if let Some(base) = &base {
            self.by_address
                .entry(base.as_str().to_owned())
                .or_insert(self.list.len());
        }
        self.list.push(Resource { base, schema, node });
        self.list.len() - 1
    }

    fn id_of(&self, schema: &'a Value) -> Option<&'a str> {
        let keyword = if self.draft == Draft::Draft4 {
            "id"
        } else {
            "$id"
        };
        // Before 2019-09 a reference hides what is beside it.
        let hidden = self.draft < Draft::Draft201909 && schema.get("$ref").is_some();
        schema
            .get(keyword)
            .and_then(Value::as_str)
            .filter(|_| !hidden)
    }
}

/// Whether a text can be an address at all.
pub(crate) fn is_address(text: &str) -> bool {
    uri::from_str(text).is_ok()
}

fn percent_decoded(fragment: &str) -> Option<String> {
    if !fragment.contains('%') {
        return Some(fragment.to_owned());
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, after @ ..] = rest {
        if let (b'%', [high, low, tail @ ..]) = (first, after)
            && let Some(byte) = hex_pair(*high, *low)
        {
            bytes.push(byte);
            rest = tail;
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

fn hex_pair(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}
