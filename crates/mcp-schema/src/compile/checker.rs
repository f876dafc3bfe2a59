//! A compiled schema: the validator, the outline, and what one validation may cost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::{Draft, ValidationError, ValidationOptions, Validator};
use serde_json::{Value, json};

use crate::outline::{Cost, NodeId, Outline};

/// Validators of single branches that are kept for one schema.
const KEPT_BRANCHES: usize = 256;

/// A schema as the validator got it, and what is known of it.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) schema: Value,
    pub(crate) outline: Outline,
    /// How the server wrote the patterns that were written anew.
    pub(crate) originals: HashMap<String, String>,
}

/// Checks instances against one schema.
#[derive(Debug)]
pub(crate) struct Checker {
    pub(crate) source: Source,
    pub(crate) cost: Cost,
    validator: Validator,
    options: ValidationOptions<'static>,
    draft: Draft,
    alternatives: bool,
    branches: Mutex<HashMap<NodeId, Option<Arc<Validator>>>>,
}

impl Checker {
    pub(crate) fn new(
        source: Source,
        cost: Cost,
        draft: Draft,
        validator: Validator,
        options: ValidationOptions<'static>,
    ) -> Self {
        let alternatives = source.outline.has_alternatives();
        let branches = Mutex::default();
        Self {
            source,
            cost,
            validator,
            options,
            draft,
            alternatives,
            branches,
        }
    }

    pub(crate) fn is_valid(&self, instance: &Value) -> bool {
        self.validator.is_valid(instance)
    }

    pub(crate) fn errors<'a>(&'a self, instance: &'a Value) -> Vec<ValidationError<'a>> {
        self.validator.iter_errors(instance).collect()
    }

    /// Whether some schema has alternatives.
    pub(crate) fn has_alternatives(&self) -> bool {
        self.alternatives
    }

    /// What compiling a schema object by itself costs, in values that could be visited instead;
    /// nothing where it is compiled already.
    pub(crate) fn branch_cost(&self, node: NodeId) -> usize {
        let branches = self.branches.lock().unwrap_or_else(PoisonError::into_inner);
        if branches.contains_key(&node) {
            0
        } else {
            500 + 20 * self.source.outline.len()
        }
    }

    /// Whether a value passes one schema object of the schema. One that cannot be compiled on its
    /// own passes nothing.
    pub(crate) fn passes(&self, node: NodeId, value: &Value) -> bool {
        self.branch(node)
            .is_some_and(|validator| validator.is_valid(value))
    }

    /// Compiles one pattern of the schema, as the server wrote it, by itself.
    pub(crate) fn pattern(&self, pattern: &str) -> Option<Validator> {
        let mut rewritten = self.source.originals.iter();
        let found = rewritten.find(|(_, original)| *original == pattern);
        let pattern = found.map_or(pattern, |(written, _)| written);
        self.options.build(&json!({ "pattern": pattern })).ok()
    }

    fn branch(&self, node: NodeId) -> Option<Arc<Validator>> {
        let mut branches = self.branches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = branches.get(&node) {
            return known.clone();
        }
        let built = self.build_branch(node).map(Arc::new);
        if branches.len() < KEPT_BRANCHES {
            branches.insert(node, built.clone());
        }
        built
    }

    fn build_branch(&self, node: NodeId) -> Option<Validator> {
        let base = self.base();
        let registry = jsonschema::Registry::new().draft(self.draft);
        let registry = registry
            .add(&base, self.draft.create_resource_ref(&self.source.schema))
            .ok()?;
        let registry = registry.prepare().ok()?;
        let place = format!("{base}#{}", fragment(&self.source.outline.pointer(node)));
        // A document of its own, which refers to the place in the schema.
        let options = self.options.clone().with_base_uri("json-schema:///branch");
        options
            .with_registry(&registry)
            .build(&json!({ "$ref": place }))
            .ok()
    }

    fn base(&self) -> String {
        let keyword = if self.draft == Draft::Draft4 {
            "id"
        } else {
            "$id"
        };
        let id = self.source.schema.get(keyword).and_then(Value::as_str);
        let id = id
            .map(|id| id.trim_end_matches('#'))
            .filter(|id| !id.is_empty());
        let id = id.and_then(|id| jsonschema::uri::from_str(id).ok());
        id.map_or_else(
            || "json-schema:///schema".to_owned(),
            |id| id.as_str().to_owned(),
        )
    }
}

/// A JSON pointer as the fragment of an address.
fn fragment(pointer: &str) -> String {
    let mut encoded = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let digits = b"0123456789ABCDEF";
            encoded.push('%');
            encoded.push(char::from(digits[usize::from(byte >> 4)]));
            encoded.push(char::from(digits[usize::from(byte & 15)]));
        }
    }
    encoded
}
