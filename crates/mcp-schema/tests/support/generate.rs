//! Instances for a schema, valid and broken: enough of JSON Schema for what published servers
//! write, and independent of the crate's own reading of it.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use serde_json::{Map, Value, json};

/// Makes instances for one schema.
pub(crate) struct Generator<'a> {
    root: &'a Value,
}

/// Levels below which optional members are left out: schemas may be recursive.
const LEVELS: usize = 6;

impl<'a> Generator<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Self { root }
    }

    /// A valid instance: with every declared member, or with the required ones alone.
    pub(crate) fn valid(&self, full: bool) -> Value {
        self.value(self.root, full, 0)
    }

    fn resolve(&self, schema: &'a Value) -> &'a Value {
        let mut schema = schema;
        for _ in 0..32 {
            let target = schema.get("$ref").and_then(Value::as_str);
            match target.and_then(|target| self.root.pointer(target.strip_prefix('#')?)) {
                Some(target) => schema = target,
                None => break,
            }
        }
        schema
    }

    fn value(&self, schema: &'a Value, full: bool, level: usize) -> Value {
        let schema = self.resolve(schema);
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return values.first().cloned().unwrap_or(Value::Null);
        }
        for branches in ["anyOf", "oneOf"] {
            if schema.get("properties").is_none()
                && let Some(first) = schema.get(branches).and_then(|branches| branches.get(0))
            {
                return self.value(first, full, level);
            }
        }
        if let Some(all) = schema.get("allOf").and_then(Value::as_array)
            && schema.get("properties").is_none()
        {
            let mut merged = Map::new();
            for part in all {
                match self.value(part, full, level) {
                    Value::Object(members) => merged.extend(members),
                    scalar => return scalar,
                }
            }
            return Value::Object(merged);
        }
        match kind(schema) {
            "object" => self.object(schema, full, level),
            "array" => self.array(schema, full, level),
            "string" => string(schema),
            "integer" | "number" => number(schema),
            "boolean" => json!(true),
            _ => Value::Null,
        }
    }

    fn object(&self, schema: &'a Value, full: bool, level: usize) -> Value {
        let required: Vec<&str> = required(schema);
        let mut members = Map::new();
        for (name, inner) in properties(schema) {
            if required.contains(&name.as_str()) || full && level < LEVELS && inner != &json!(false)
            {
                members.insert(name.clone(), self.value(inner, full, level + 1));
            }
        }
        for name in required {
            members.entry(name).or_insert_with(|| json!("x"));
        }
        Value::Object(members)
    }

    fn array(&self, schema: &'a Value, full: bool, level: usize) -> Value {
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        let count = if full && level < LEVELS {
            least.max(1)
        } else {
            least
        };
        let prefix = schema
            .get("prefixItems")
            .or(schema.get("items"))
            .and_then(Value::as_array);
        let item = |index: u64| {
            let at = usize::try_from(index).unwrap_or(0);
            let own = prefix.and_then(|prefix| prefix.get(at));
            match own.or(schema.get("items").filter(|items| !items.is_array())) {
                Some(items) => self.value(items, full, level + 1),
                None => json!(index),
            }
        };
        let mut items: Vec<Value> = (0..count).map(item).collect();
        if schema.get("uniqueItems") == Some(&json!(true)) {
            items.dedup();
        }
        Value::Array(items)
    }

    /// The instance with a null for every optional member that it leaves out and whose schema
    /// does not accept null, at every depth.
    pub(crate) fn with_nulls(&self, valid: &Value) -> Value {
        self.nulled(self.root, valid)
    }

    fn nulled(&self, schema: &'a Value, valid: &Value) -> Value {
        let schema = self.resolve(schema);
        match valid {
            Value::Object(members) => {
                let mut members = members.clone();
                for (name, inner) in properties(schema) {
                    if let Some(member) = members.get_mut(name) {
                        *member = self.nulled(inner, member);
                    } else if !required(schema).contains(&name.as_str()) && self.refuses_null(inner)
                    {
                        members.insert(name.clone(), Value::Null);
                    }
                }
                Value::Object(members)
            }
            Value::Array(items) => {
                let inner = schema.get("items").unwrap_or(&Value::Null);
                items.iter().map(|item| self.nulled(inner, item)).collect()
            }
            scalar => scalar.clone(),
        }
    }

    fn refuses_null(&self, schema: &'a Value) -> bool {
        let schema = self.resolve(schema);
        let values = schema.get("enum").and_then(Value::as_array);
        let branches = ["anyOf", "oneOf"]
            .iter()
            .find_map(|name| schema.get(*name)?.as_array());
        match schema.get("type") {
            Some(Value::String(name)) => name != "null",
            Some(Value::Array(names)) => !names.contains(&json!("null")),
            _ => {
                values.is_some_and(|values| !values.contains(&Value::Null))
                    || branches.is_some_and(|all| all.iter().all(|one| self.refuses_null(one)))
            }
        }
    }

    /// An instance that is wrong in one member; where no member can be wrong, no object at all.
    pub(crate) fn broken(&self) -> Value {
        let schema = self.resolve(self.root);
        let mut broken = self.valid(false);
        let Some(members) = broken.as_object_mut() else {
            return Value::Null;
        };
        if let Some(name) = required(schema).first() {
            members.remove(*name);
            return broken;
        }
        for (name, inner) in properties(schema) {
            let wrong = match self.resolve(inner).get("type").and_then(Value::as_str) {
                Some("string") => json!(17),
                Some(_) => json!("not of this type"),
                None => continue,
            };
            members.insert(name.clone(), wrong);
            return broken;
        }
        json!(["no object"])
    }
}

fn kind(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => names.first().and_then(Value::as_str).unwrap_or("null"),
        _ if schema.get("properties").is_some() => "object",
        _ if schema.get("items").is_some() => "array",
        _ => "string",
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    names.filter_map(Value::as_str).collect()
}

/// Texts of which one matches each pattern that published servers write.
const SAMPLES: &[&str] = &[
    "x",
    "ABC",
    "2026-01-02",
    "2026-01-02T03:04:05Z",
    "03:04:05",
    "PROJ-12",
    "2026-01-02to2026-01-03",
    "123e4567-e89b-12d3-a456-426614174000",
    "app=web",
    "example.com",
    "1:2",
    "https://example.com/",
    "chart.png",
    "3d",
    "=A1",
    "SlicerStyleLight1",
];

fn string(schema: &Value) -> Value {
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        let pattern = fancy_regex::Regex::new(pattern).expect("a published pattern");
        let sample = SAMPLES
            .iter()
            .find(|sample| pattern.is_match(sample).expect("a short match"));
        return json!(sample.unwrap_or_else(|| panic!("add a text that matches {pattern}")));
    }
    let least = schema.get("minLength").and_then(Value::as_u64).unwrap_or(0);
    json!("x".repeat(usize::try_from(least.max(1)).unwrap_or(1)))
}

fn number(schema: &Value) -> Value {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let least = bound("minimum").or(bound("exclusiveMinimum").map(|least| least + 1.0));
    let most = bound("maximum").or(bound("exclusiveMaximum").map(|most| most - 1.0));
    let value = least.unwrap_or(1.0).min(most.unwrap_or(f64::MAX));
    #[expect(
        clippy::cast_possible_truncation,
        reason = "bounds of published schemas are small"
    )]
    let whole = value as i64;
    json!(whole)
}
