//! Small faults that change nothing of what a schema means: they must not cost its validation.
//! Only the validator's copy is tidied; the provider gets the server's bytes.

use std::fmt::Write as _;

use jsonschema::Draft;
use serde_json::{Map, Value, json};

use crate::outline::is_address;

/// Whether a value is what its keyword asks for.
type IsFine = fn(&Value) -> bool;

/// Keywords that only describe, with what their value has to be.
const ANNOTATIONS: [(&str, IsFine); 9] = [
    // Without an address of its own a schema is part of the one around it.
    ("$id", |id| id.as_str().is_none_or(is_address)),
    ("title", Value::is_string),
    ("description", Value::is_string),
    ("$comment", Value::is_string),
    ("examples", Value::is_array),
    ("deprecated", Value::is_boolean),
    ("readOnly", Value::is_boolean),
    ("writeOnly", Value::is_boolean),
    // Never asserted, whatever it holds.
    ("format", |_| false),
];

/// Annotations that some drafts let a validator assert; here they describe.
const CONTENT: [&str; 2] = ["contentEncoding", "contentMediaType"];

/// Lists that must not hold a value twice.
const SETS: [&str; 3] = ["required", "type", "enum"];

/// Keywords that hold an address.
const REFERENCES: [&str; 2] = ["$ref", "$dynamicRef"];

/// Whether a schema object has something to tidy.
pub(crate) fn is_untidy(schema: &Map<String, Value>, draft: Draft) -> bool {
    ANNOTATIONS
        .iter()
        .any(|(name, is_fine)| schema.get(*name).is_some_and(|value| !is_fine(value)))
        || CONTENT.iter().any(|name| schema.contains_key(*name))
        || REFERENCES
            .iter()
            .any(|name| schema.get(*name).and_then(encoded).is_some())
        || SETS.iter().any(|name| {
            schema
                .get(*name)
                .is_some_and(|list| has_twins(list, name, draft))
        })
        || is_empty(schema, "enum") && draft < Draft::Draft7
        || is_empty(schema, "required") && draft == Draft::Draft4
}

/// Whether a list that must name something is empty.
pub(crate) fn is_empty(schema: &Map<String, Value>, name: &str) -> bool {
    schema
        .get(name)
        .and_then(Value::as_array)
        .is_some_and(Vec::is_empty)
}

/// Tidies a schema object.
pub(crate) fn tidy(schema: &mut Map<String, Value>, draft: Draft) {
    for (name, is_fine) in ANNOTATIONS {
        if schema.get(name).is_some_and(|value| !is_fine(value)) {
            schema.remove(name);
        }
    }
    for name in CONTENT {
        schema.remove(name);
    }
    for name in REFERENCES {
        if let Some(reference) = schema.get(name).and_then(encoded) {
            schema.insert(name.to_owned(), reference.into());
        }
    }
    for name in SETS {
        if let Some(list) = schema
            .get_mut(name)
            .filter(|list| has_twins(list, name, draft))
        {
            remove_twins(list);
        }
    }
    if draft < Draft::Draft7 && is_empty(schema, "enum") {
        // Those drafts want a value in the list. Nothing is accepted either way.
        schema.remove("enum");
        schema.insert("not".to_owned(), json!({}));
    }
    if draft == Draft::Draft4 && is_empty(schema, "required") {
        schema.remove("required");
    }
}

/// A reference within the document that names its target as it is, such as `#/$defs/List<string>`, in the
/// characters of an address; `None` where it has them already.
fn encoded(reference: &Value) -> Option<String> {
    let fragment = reference.as_str()?.strip_prefix('#')?;
    let mut address = "#".to_owned();
    for (at, byte) in fragment.bytes().enumerate() {
        let escape = fragment.get(at + 1..at + 3);
        let is_escape = escape.is_some_and(|digits| u8::from_str_radix(digits, 16).is_ok());
        let fits = byte.is_ascii_alphanumeric()
            || b"/?:@-._~!$&'()*+,;=".contains(&byte)
            || (byte == b'%' && is_escape);
        if fits {
            address.push(char::from(byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    (address.len() > fragment.len() + 1).then_some(address)
}

/// Newer drafts let `enum` repeat itself, and long lists of it are common.
fn has_twins(list: &Value, name: &str, draft: Draft) -> bool {
    let matters = name != "enum" || draft < Draft::Draft7;
    let Some(values) = list.as_array().filter(|_| matters) else {
        return false;
    };
    let mut seen: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
    let strings = seen.len();
    seen.sort_unstable();
    seen.dedup();
    seen.len() < strings
}

fn remove_twins(list: &mut Value) {
    if let Value::Array(values) = list {
        let mut seen = std::collections::HashSet::new();
        values.retain(|value| {
            value
                .as_str()
                .is_none_or(|text| seen.insert(text.to_owned()))
        });
    }
}
