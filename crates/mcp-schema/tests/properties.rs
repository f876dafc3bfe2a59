//! What holds for every schema and every text.

#[path = "support/text.rs"]
mod text;

use mcp_schema::{Coverage, ToolSchema};
use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use text::{raw, schema};

/// Names that collide often.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![Just("a"), Just("b"), Just("c"), Just("odd name"), Just("")].prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        3 => Just(Value::Null),
        1 => Just(json!(true)),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => (-1e9..1e9).prop_map(Value::from),
        1 => "[ab\"\\\\é\u{1F600}]{0,3}".prop_map(Value::from),
    ];
    scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(name(), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    prop::collection::btree_map(name(), value(), 0..5)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// Schemas that are well-formed, with every way that the null clean-up follows.
fn schema_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!({ "type": "string" })),
        Just(json!({ "type": ["integer", "null"] })),
        Just(json!({ "enum": ["a", 1, null] })),
        Just(json!({ "const": null })),
        Just(json!({ "$ref": "#" })),
        Just(json!({ "$ref": "#/$defs/text" })),
        Just(json!({ "not": { "type": "null" } })),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let properties = prop::collection::btree_map(name(), inner.clone(), 0..4);
        let branches = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            3 => (properties, prop::collection::vec(name(), 0..2), any::<bool>()).prop_map(
                |(properties, required, open)| json!({
                    "type": "object", "properties": properties, "required": required,
                    "additionalProperties": open,
                })
            ),
            1 => inner.clone().prop_map(|items| json!({ "items": items })),
            1 => (branches.clone(), inner.clone())
                .prop_map(|(prefix, items)| json!({ "prefixItems": prefix, "items": items })),
            1 => branches.clone().prop_map(|all| json!({ "allOf": all })),
            1 => branches.clone().prop_map(|any| json!({ "anyOf": any })),
            1 => branches.prop_map(|one| json!({ "oneOf": one })),
            1 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(test, yes, no)| json!({ "if": test, "then": yes, "else": no })),
            1 => inner.prop_map(|inner| json!({ "dependentSchemas": { "a": inner } })),
        ]
    })
}

fn root() -> impl Strategy<Value = Value> {
    (
        prop::collection::btree_map(name(), schema_value(), 0..4),
        schema_value(),
    )
        .prop_map(|(properties, rest)| {
            json!({
                "type": "object", "properties": properties, "allOf": [rest],
                "$defs": { "text": { "type": "string" } },
            })
        })
}

/// Whether a value is another one less members that are null.
fn is_less_nulls(after: &Value, before: &Value) -> bool {
    match (after, before) {
        (Value::Object(after), Value::Object(before)) => {
            before.iter().all(|(name, old)| match after.get(name) {
                Some(new) => is_less_nulls(new, old),
                None => old.is_null(),
            }) && after.keys().all(|name| before.contains_key(name))
        }
        (Value::Array(after), Value::Array(before)) => {
            after.len() == before.len()
                && after
                    .iter()
                    .zip(before)
                    .all(|(after, before)| is_less_nulls(after, before))
        }
        _ => after == before,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_text_of_a_schema_comes_back_unchanged(document in value(), pretty in any::<bool>()) {
        let text = if pretty { format!("{document:#}") } else { document.to_string() };
        let schema = schema(&text);
        let _ = (schema.coverage(), schema.notes(), schema.withheld());
        prop_assert_eq!(schema.raw().get(), text);
    }

    #[test]
    fn valid_arguments_are_untouched_and_others_lose_nulls_alone(
        document in root(), given in object(), pretty in any::<bool>(),
    ) {
        let schema = schema(&document.to_string());
        let text = if pretty { format!("{given:#}") } else { given.to_string() };
        let was_valid = schema.check(&raw(&text)).is_ok();
        match schema.prepare(Some(&text)) {
            Ok(sent) => {
                prop_assert_eq!(sent.dropped().is_empty(), sent.get().get() == text);
                prop_assert!(!was_valid || sent.dropped().is_empty());
                prop_assert!(schema.check(sent.get()).is_ok());
                let after: Value = serde_json::from_str(sent.get().get()).expect("JSON is sent");
                prop_assert!(is_less_nulls(&after, &given), "{} became {}", given, after);
            }
            Err(violations) => {
                prop_assert!(!was_valid, "{}", violations);
                prop_assert!(violations.iter().count() <= 5);
                prop_assert_eq!(violations.len(), violations.iter().count() + violations.more());
                for violation in &violations {
                    prop_assert_eq!(violation.to_string().lines().count(), 1);
                }
            }
        }
    }

    #[test]
    fn preparing_twice_is_preparing_once(document in root(), given in object()) {
        let schema = schema(&document.to_string());
        if let Ok(once) = schema.prepare(Some(&given.to_string())) {
            let twice = schema.prepare(Some(once.get().get())).expect("what is sent is valid");
            prop_assert_eq!(twice.get().get(), once.get().get());
        }
    }

    #[test]
    fn the_verdict_is_that_of_the_library(document in root(), given in value()) {
        let schema = schema(&document.to_string());
        if schema.coverage() == Coverage::Full {
            let library = jsonschema::validator_for(&document).expect("it is well-formed");
            prop_assert_eq!(schema.check(&raw(&given.to_string())).is_ok(), library.is_valid(&given));
        }
    }

    #[test]
    fn no_text_panics(document in ".{0,60}", given in ".{0,60}") {
        if let Ok(text) = RawValue::from_string(document) {
            let schema = ToolSchema::new(text);
            let _ = (schema.coverage(), schema.notes(), schema.withheld());
        }
        let _ = schema("{}").prepare(Some(&given));
    }

    #[test]
    fn nothing_that_looks_like_a_schema_panics(
        document in value(), keyword in prop::sample::select(KEYWORDS), given in object(),
    ) {
        let document = json!({ keyword: document, "properties": { "a": { keyword: document } } });
        let schema = schema(&document.to_string());
        let _ = schema.withheld();
        let _ = schema.prepare(Some(&given.to_string()));
    }
}

const KEYWORDS: &[&str] = &[
    "$ref",
    "$id",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$defs",
    "$schema",
    "type",
    "enum",
    "const",
    "required",
    "properties",
    "patternProperties",
    "additionalProperties",
    "items",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "propertyNames",
    "pattern",
    "format",
    "minimum",
    "multipleOf",
    "minLength",
];
