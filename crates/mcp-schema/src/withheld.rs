//! Whether a root can ever be an object: told from the text, without compiling anything, since
//! every tool is asked when it is listed.

use serde_json::Value;

use crate::coverage::Withheld;
use crate::text;
use crate::words::{preview, quoted};

/// Schema objects that are looked at. More means that nobody wrote it by hand, and the tool stays.
const LOOKED_AT: usize = 1_000;

/// References and combinations followed from the root.
const FOLLOWED: usize = 32;

/// Why a schema's tool is withheld, if it is.
pub(crate) fn judge(text: &str) -> Option<Withheld> {
    if text.len() > crate::limits::MAX_SCHEMA_BYTES {
        return None;
    }
    let reading = text::read(text).ok()?;
    let mut judge = Judge {
        root: &reading.value,
        looked_at: 0,
    };
    judge
        .never_object(&reading.value, 0)
        .map(|reason| Withheld { reason })
}

struct Judge<'a> {
    root: &'a Value,
    looked_at: usize,
}

impl<'a> Judge<'a> {
    /// Why a schema accepts no object, if that is certain.
    fn never_object(&mut self, schema: &'a Value, level: usize) -> Option<String> {
        self.looked_at += 1;
        if level > FOLLOWED || self.looked_at > LOOKED_AT {
            return None;
        }
        let members = match schema {
            Value::Object(members) => members,
            Value::Bool(true) => return None,
            Value::Bool(false) => return Some("the schema `false` accepts nothing".to_owned()),
            other => return Some(format!("a schema is an object, not {}", preview(other))),
        };
        if let Some(target) = members
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|at| self.target(at))
            && let Some(reason) = self.never_object(target, level + 1)
        {
            return Some(reason);
        }
        if let Some(reason) = members.get("type").and_then(excluded_by_type) {
            return Some(reason);
        }
        let values = members.get("enum").and_then(Value::as_array);
        if values.is_some_and(|values| !values.iter().any(Value::is_object)) {
            return Some("its `enum` has no object".to_owned());
        }
        if members.get("const").is_some_and(|value| !value.is_object()) {
            return Some("its `const` is not an object".to_owned());
        }
        if members
            .get("not")
            .is_some_and(|not| not == &Value::Bool(true) || is_empty(not))
        {
            return Some("its `not` accepts nothing".to_owned());
        }
        self.by_combination(members, level)
    }

    fn by_combination(
        &mut self,
        members: &'a serde_json::Map<String, Value>,
        level: usize,
    ) -> Option<String> {
        let list = |name: &str| members.get(name).and_then(Value::as_array);
        for part in list("allOf")
            .into_iter()
            .flatten()
            .filter(|part| is_schema(part))
        {
            if let Some(reason) = self.never_object(part, level + 1) {
                return Some(reason);
            }
        }
        for name in ["anyOf", "oneOf"] {
            let Some(branches) = list(name).filter(|branches| !branches.is_empty()) else {
                continue;
            };
            let mut reasons = Vec::new();
            for branch in branches.iter().filter(|branch| is_schema(branch)) {
                match self.never_object(branch, level + 1) {
                    Some(reason) => reasons.push(reason),
                    None => break,
                }
            }
            if reasons.len() == branches.len() {
                return Some(format!("no branch of its `{name}` accepts an object"));
            }
        }
        None
    }

    /// The target of a reference that is told by a pointer; others are left to the compiler.
    fn target(&self, reference: &str) -> Option<&'a Value> {
        let pointer = reference.strip_prefix('#')?;
        self.root
            .pointer(pointer)
            .filter(|target| is_schema(target))
    }
}

fn excluded_by_type(value: &Value) -> Option<String> {
    match value {
        Value::String(name) if name != "object" && is_type(name) => {
            Some(format!("its type is {}, not \"object\"", quoted(name)))
        }
        Value::Array(names)
            if !names.is_empty()
                && names.iter().all(|name| {
                    name.as_str()
                        .is_some_and(|name| name != "object" && is_type(name))
                }) =>
        {
            Some("its types do not include \"object\"".to_owned())
        }
        _ => None,
    }
}

fn is_type(name: &str) -> bool {
    matches!(
        name,
        "array" | "boolean" | "integer" | "null" | "number" | "string"
    )
}

fn is_schema(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Bool(_))
}

fn is_empty(value: &Value) -> bool {
    value.as_object().is_some_and(serde_json::Map::is_empty)
}
