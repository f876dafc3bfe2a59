//! Which keywords of a draft hold subschemas, and how they apply.

use jsonschema::Draft;
use serde_json::{Map, Value};

use super::edge::Via;

/// A subschema of a schema object: the keyword, the steps below it, and how it applies.
pub(super) struct Subschema<'a> {
    pub(super) keyword: &'static str,
    pub(super) below: Option<Below<'a>>,
    pub(super) via: Via,
    pub(super) schema: &'a Value,
}

/// The step from a keyword to one of its subschemas.
pub(super) enum Below<'a> {
    Name(&'a str),
    Index(usize),
}

/// How a keyword's value holds subschemas.
#[derive(Clone)]
enum Shape {
    One(Via),
    List(fn(usize) -> Via),
    Map(fn(&str) -> Via),
    /// One schema for the items from an index on, or a list for the first ones.
    Items(usize),
}

/// The keywords that hold subschemas, with the first and the last draft that has them.
const KEYWORDS: [(&str, Draft, Draft, Shape); 22] = {
    use Draft::{Draft4, Draft6, Draft7, Draft201909 as D19, Draft202012 as D20};
    use Shape::{Items, List, Map, One};
    [
        ("$defs", Draft4, D20, Map(|_| Via::Definition)),
        ("definitions", Draft4, D20, Map(|_| Via::Definition)),
        ("allOf", Draft4, D20, List(|_| Via::AllOf)),
        ("anyOf", Draft4, D20, List(|_| Via::AnyOf)),
        ("oneOf", Draft4, D20, List(|_| Via::OneOf)),
        ("not", Draft4, D20, One(Via::Not)),
        ("if", Draft7, D20, One(Via::If)),
        ("then", Draft7, D20, One(Via::Then)),
        ("else", Draft7, D20, One(Via::Else)),
        (
            "properties",
            Draft4,
            D20,
            Map(|name| Via::Property(name.into())),
        ),
        (
            "patternProperties",
            Draft4,
            D20,
            Map(|name| Via::Pattern(name.into())),
        ),
        (
            "additionalProperties",
            Draft4,
            D20,
            One(Via::AdditionalProperties),
        ),
        ("propertyNames", Draft6, D20, One(Via::PropertyNames)),
        ("contains", Draft6, D20, One(Via::Contains)),
        (
            "dependencies",
            Draft4,
            D20,
            Map(|name| Via::Dependent(name.into())),
        ),
        (
            "dependentSchemas",
            D19,
            D20,
            Map(|name| Via::Dependent(name.into())),
        ),
        (
            "unevaluatedProperties",
            D19,
            D20,
            One(Via::UnevaluatedProperties),
        ),
        ("unevaluatedItems", D19, D20, One(Via::UnevaluatedItems)),
        ("contentSchema", D19, D20, One(Via::Definition)),
        ("prefixItems", D20, D20, List(Via::Prefix)),
        ("items", Draft4, D20, Items(0)),
        ("additionalItems", Draft4, D19, Items(0)),
    ]
};

/// Every subschema of a schema object. What is malformed is left to the meta-schema.
pub(super) fn subschemas(schema: &Map<String, Value>, draft: Draft) -> Vec<Subschema<'_>> {
    let mut found = Vec::new();
    // Before 2019-09 a reference hides everything beside it, except what others may refer to.
    let hidden = draft < Draft::Draft201909 && schema.get("$ref").is_some_and(Value::is_string);
    for (name, value) in schema {
        if hidden && name != "definitions" && name != "$defs" {
            continue;
        }
        let known = KEYWORDS.iter().find(|(keyword, ..)| keyword == name);
        if let Some((keyword, first, last, shape)) = known
            && (*first..=*last).contains(&draft)
            && let Some(shape) = applying(keyword, shape, schema)
        {
            collect(keyword, shape, value, &mut found);
        }
    }
    found
}

/// The shape of a keyword, given what stands beside it; `None` where it means nothing.
fn applying(keyword: &str, shape: &Shape, schema: &Map<String, Value>) -> Option<Shape> {
    let length = |list: &str| schema.get(list).and_then(Value::as_array).map(Vec::len);
    match keyword {
        // Alone they apply nowhere, but a reference may lead to them.
        "then" | "else" if !schema.contains_key("if") => Some(Shape::One(Via::Definition)),
        "items" => Some(Shape::Items(length("prefixItems").unwrap_or(0))),
        "additionalItems" => length("items").map(Shape::Items),
        _ => Some(shape.clone()),
    }
}

fn collect<'a>(
    keyword: &'static str,
    shape: Shape,
    value: &'a Value,
    found: &mut Vec<Subschema<'a>>,
) {
    let mut add = |below, via, schema: &'a Value| {
        if matches!(schema, Value::Object(_) | Value::Bool(_)) {
            found.push(Subschema {
                keyword,
                below,
                via,
                schema,
            });
        }
    };
    match (shape, value) {
        (Shape::One(via), schema) => add(None, via, schema),
        (Shape::List(via), Value::Array(items)) => {
            for (index, schema) in items.iter().enumerate() {
                add(Some(Below::Index(index)), via(index), schema);
            }
        }
        (Shape::Map(via), Value::Object(members)) => {
            for (name, schema) in members {
                add(Some(Below::Name(name)), via(name), schema);
            }
        }
        (Shape::Items(_), Value::Array(_)) => {
            collect(keyword, Shape::List(Via::Prefix), value, found);
        }
        (Shape::Items(from), schema) => add(None, Via::Items(from), schema),
        _ => {}
    }
}
