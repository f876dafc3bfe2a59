//! The tool that the benches use: thirty properties in a nested schema, and arguments for it.

use serde_json::{Map, Value, json};

/// The schema's text, about 3.5 kB.
pub(crate) fn schema() -> String {
    let mut properties = Map::new();
    for number in 0..24 {
        let schema = match number % 4 {
            0 => {
                json!({ "type": "string", "minLength": 1, "maxLength": 200, "description": "A text" })
            }
            1 => {
                json!({ "type": "integer", "minimum": 0, "maximum": 1_000_000, "description": "A number" })
            }
            2 => json!({ "enum": ["alpha", "beta", "gamma", "delta"], "description": "A choice" }),
            _ => json!({ "type": "array", "items": { "type": "string" }, "maxItems": 20 }),
        };
        properties.insert(format!("option_{number}"), schema);
    }
    properties.insert("filter".to_owned(), filter());
    json!({
        "type": "object", "properties": properties, "additionalProperties": false,
        "required": ["option_0", "option_1", "filter"],
    })
    .to_string()
}

fn filter() -> Value {
    json!({
        "type": "object",
        "properties": {
            "author": { "type": "string", "pattern": "^[a-z][a-z0-9_-]*$" },
            "range": {
                "type": "object",
                "properties": {
                    "from": { "type": "string", "format": "date" },
                    "to": { "type": "string", "format": "date" },
                    "limit": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
                },
                "required": ["from"], "additionalProperties": false,
            },
            "tags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
        },
        "required": ["author"], "additionalProperties": false,
    })
}

fn arguments() -> Map<String, Value> {
    let mut members = Map::new();
    for number in 0..16 {
        let value = match number % 4 {
            0 => json!("a text of some length, as models write them"),
            1 => json!(number * 1000),
            2 => json!("gamma"),
            _ => json!(["one", "two", "three"]),
        };
        members.insert(format!("option_{number}"), value);
    }
    let filter = json!({
        "author": "someone", "range": { "from": "2026-01-01", "limit": null }, "tags": ["a", "b"],
    });
    members.insert("filter".to_owned(), filter);
    members
}

/// Arguments that pass.
pub(crate) fn valid() -> String {
    Value::Object(arguments()).to_string()
}

/// Arguments with a wrong type, a slip in a name, and a member that is missing.
pub(crate) fn invalid() -> String {
    let mut members = arguments();
    members.insert("option_1".to_owned(), json!("many"));
    members.insert("optoin_2".to_owned(), json!("beta"));
    members.remove("option_0");
    Value::Object(members).to_string()
}

/// Arguments with nulls for what is left out.
pub(crate) fn with_nulls() -> String {
    let mut members = arguments();
    for number in 16..24 {
        members.insert(format!("option_{number}"), Value::Null);
    }
    Value::Object(members).to_string()
}
