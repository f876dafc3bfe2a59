//! Types: what they are called, and a value of another one.

use jsonschema::JsonType;
use jsonschema::error::TypeKind;
use serde_json::Value;

use super::fault::Rank;
use super::value::preview;

/// A value of the wrong type. Text that holds JSON is the slip that models make most.
pub(crate) fn wrong_type(expected: &[&str], given: &Value) -> (Rank, String) {
    let wanted = alternatives(expected);
    let holds = given.as_str().and_then(held);
    let container = expected
        .iter()
        .any(|name| matches!(*name, "object" | "array"));
    match holds {
        Some(held) if container => {
            let instead = if expected.contains(&held) {
                format!("give the {held} itself, not as text")
            } else {
                format!("give {wanted} itself, not as text")
            };
            let got = with_article(held);
            (
                Rank::Slip,
                format!("must be {wanted}, got a string that holds the JSON of {got}; {instead}"),
            )
        }
        _ => (
            Rank::WrongType,
            format!("must be {wanted}, got {}", preview(given)),
        ),
    }
}

/// The JSON container that a text holds, if it holds one.
fn held(text: &str) -> Option<&'static str> {
    let kind = match text.trim_start().chars().next()? {
        '{' => "object",
        '[' => "array",
        _ => return None,
    };
    // Only the syntax is looked at: nothing here is parsed into a value.
    serde_json::from_str::<&serde_json::value::RawValue>(text)
        .ok()
        .map(|_| kind)
}

pub(super) fn type_names(kind: &TypeKind) -> Vec<&'static str> {
    match kind {
        TypeKind::Single(single) => vec![name(*single)],
        TypeKind::Multiple(many) => many.iter().map(name).collect(),
    }
}

fn name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "array",
        JsonType::Boolean => "boolean",
        JsonType::Integer => "integer",
        JsonType::Null => "null",
        JsonType::Number => "number",
        JsonType::Object => "object",
        JsonType::String => "string",
    }
}

fn with_article(name: &str) -> String {
    match name {
        "null" => name.to_owned(),
        "array" | "integer" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// `a string, a number or null`.
pub(super) fn alternatives(names: &[&str]) -> String {
    let mut names = names.to_vec();
    names.sort_by_key(|name| *name == "null");
    let names: Vec<String> = names.into_iter().map(with_article).collect();
    joined(&names)
}

/// `a, b or c`.
pub(super) fn joined(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
