//! What each kind of error is called.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::branches;
use super::fault::{Context, Fault, Rank, Subject};
use super::suggest::{closest, hint};
use super::value::{literal, preview, quoted};
use crate::path::Step;

/// Values of an enumeration that are listed.
const LISTED: usize = 12;

/// Characters of a text that is not ours.
const FOREIGN_TEXT: usize = 200;

/// Said where no value will do.
const NOTHING: &str = "accepts no value at all, leave it out";

/// The faults that one error amounts to: none for a match that could not be finished.
pub(super) fn faults(error: &ValidationError<'_>, context: &Context<'_>) -> Vec<Fault> {
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unknown(error, unexpected, context)
        }
        Kind::Required { property } => vec![missing(error, property, context)],
        Kind::AnyOf { context: branches } | Kind::OneOfNotValid { context: branches } => {
            branches::faults(error, branches, context)
        }
        Kind::PropertyNames { error: inner } => vec![member_name(error, inner, context)],
        // Whether these match is open; what is open is not a violation.
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => Vec::new(),
        kind => {
            let (rank, message) = single(kind, error, context);
            vec![context.fault(error, rank, &message)]
        }
    }
}

/// The message for a kind that concerns one value as a whole.
fn single(kind: &Kind, error: &ValidationError<'_>, context: &Context<'_>) -> (Rank, String) {
    let given: &Value = error.instance();
    match kind {
        Kind::Type { kind } => wrong_type(&type_names(kind), given),
        Kind::Enum { options } => (Rank::WrongValue, not_listed(options, given)),
        Kind::Constant { expected_value } => (
            Rank::WrongValue,
            format!(
                "must be {}, got {}",
                literal(expected_value),
                preview(given)
            ),
        ),
        Kind::FalseSchema => (
            Rank::Unknown,
            "is not accepted here, leave it out".to_owned(),
        ),
        Kind::Pattern { pattern } => (
            Rank::WrongValue,
            format!(
                "must match the pattern {}, got {}",
                quoted(pattern),
                preview(given)
            ),
        ),
        Kind::Not { schema } if is_anything(schema) => (Rank::Unknown, NOTHING.to_owned()),
        Kind::Not { schema } => (Rank::Other, format!("must not fit {}", literal(schema))),
        Kind::OneOfMultipleValid { context } => (Rank::Other, branches::too_many(context)),
        Kind::UniqueItems => (
            Rank::WrongValue,
            "must not hold the same item twice".to_owned(),
        ),
        Kind::Contains => (Rank::WrongValue, contains(error, context)),
        Kind::Referencing(reason) => (Rank::Other, cut(&reason.to_string())),
        _ => (
            Rank::WrongValue,
            bound(kind, given).unwrap_or_else(|| cut(&error.to_string())),
        ),
    }
}

/// The message for a bound on a size or a number.
fn bound(kind: &Kind, given: &Value) -> Option<String> {
    let length = || given.as_str().map_or(0, |text| text.chars().count());
    let items = || given.as_array().map_or(0, Vec::len);
    let members = || given.as_object().map_or(0, serde_json::Map::len);
    let than = |bound: &str, limit: &Value| format!("must be {bound} {limit}, got {given}");
    let sized = |bound: &str, limit: u64, what: &str, size: usize| {
        let plural = if limit == 1 { "" } else { "s" };
        format!("must have {bound} {limit} {what}{plural}, got {size}")
    };
    Some(match kind {
        Kind::Minimum { limit } => than("at least", limit),
        Kind::Maximum { limit } => than("at most", limit),
        Kind::ExclusiveMinimum { limit } => than("greater than", limit),
        Kind::ExclusiveMaximum { limit } => than("less than", limit),
        Kind::MultipleOf { multiple_of } => {
            format!("must be a multiple of {multiple_of}, got {given}")
        }
        Kind::MinLength { limit } => sized("at least", *limit, "character", length()),
        Kind::MaxLength { limit } => sized("at most", *limit, "character", length()),
        Kind::MinItems { limit } => sized("at least", *limit, "item", items()),
        Kind::MaxItems { limit } => sized("at most", *limit, "item", items()),
        Kind::AdditionalItems { limit } => sized(
            "at most",
            u64::try_from(*limit).unwrap_or(u64::MAX),
            "item",
            items(),
        ),
        Kind::UnevaluatedItems { unexpected } => {
            format!(
                "must not have more items than its schema knows: {} too many",
                unexpected.len()
            )
        }
        Kind::MinProperties { limit } => sized("at least", *limit, "member", members()),
        Kind::MaxProperties { limit } => sized("at most", *limit, "member", members()),
        _ => return None,
    })
}

impl Context<'_> {
    pub(super) fn fault(&self, error: &ValidationError<'_>, rank: Rank, message: &str) -> Fault {
        let steps = self.steps(error);
        // At the root a message has no path that would be its subject.
        let message = match (steps.is_empty(), self.subject) {
            (true, Subject::Arguments) => format!("the arguments {message}"),
            (true, Subject::Value) => format!("the value {message}"),
            _ => message.to_owned(),
        };
        Fault {
            steps,
            rank,
            message,
        }
    }

    /// What a member is called at the place of an error.
    fn member(&self, steps: &[Step]) -> &'static str {
        if steps.is_empty() && self.subject == Subject::Arguments {
            "argument"
        } else {
            "member"
        }
    }
}

fn unknown(error: &ValidationError<'_>, names: &[String], context: &Context<'_>) -> Vec<Fault> {
    let known = context.declared(error);
    let steps = context.steps(error);
    let member = context.member(&steps);
    let fault = |name: &String| {
        let slip = closest(name, &known).is_some();
        Fault {
            steps: steps.clone(),
            rank: if slip { Rank::Slip } else { Rank::Unknown },
            message: format!("unknown {member} {}{}", quoted(name), hint(name, &known)),
        }
    };
    names.iter().map(fault).collect()
}

fn missing(error: &ValidationError<'_>, property: &Value, context: &Context<'_>) -> Fault {
    let steps = context.steps(error);
    let member = context.member(&steps);
    let name = property.as_str().map_or_else(|| literal(property), quoted);
    let path = error.schema_path().as_str();
    // The path of `dependentRequired` goes on with the member that asks for the other.
    let asking = path
        .rsplit_once("/dependentRequired/")
        .or(path.rsplit_once("/dependencies/"));
    let asking = asking.and_then(|(_, rest)| rest.split('/').next());
    let because = asking.map(|name| format!(", since {} is given", quoted(name)));
    let message = format!(
        "missing required {member} {name}{}",
        because.unwrap_or_default()
    );
    Fault {
        steps,
        rank: Rank::Missing,
        message,
    }
}

fn member_name(
    error: &ValidationError<'_>,
    inner: &ValidationError<'_>,
    context: &Context<'_>,
) -> Fault {
    let name: &Value = inner.instance();
    let (_, reason) = single(inner.kind(), inner, context);
    context.fault(
        error,
        Rank::Unknown,
        &format!("has the member {}, whose name {reason}", preview(name)),
    )
}

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
    let names: Vec<String> = names.iter().map(|name| with_article(name)).collect();
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

fn not_listed(options: &Value, given: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    if options.is_empty() {
        return NOTHING.to_owned();
    }
    let shown: Vec<String> = options.iter().take(LISTED).map(literal).collect();
    let list = if options.len() > LISTED {
        format!("{}, … ({} values)", shown.join(", "), options.len())
    } else {
        shown.join(", ")
    };
    let names: Vec<String> = options
        .iter()
        .filter_map(|option| option.as_str().map(str::to_owned))
        .collect();
    let close = given.as_str().and_then(|given| closest(given, &names));
    let meant = close.map(|close| format!(" (did you mean {}?)", quoted(close)));
    let must = if options.len() == 1 {
        "must be"
    } else {
        "must be one of"
    };
    format!(
        "{must} {list}, got {}{}",
        preview(given),
        meant.unwrap_or_default()
    )
}

fn is_anything(schema: &Value) -> bool {
    schema == &Value::Bool(true) || schema.as_object().is_some_and(serde_json::Map::is_empty)
}

fn contains(error: &ValidationError<'_>, context: &Context<'_>) -> String {
    let object = context.object(error).map(|(object, _)| object);
    let member = |name: &str| object.and_then(|object| object.get(name));
    let wanted = member("contains").map_or_else(|| "its schema".to_owned(), literal);
    match (member("minContains"), member("maxContains")) {
        (None, None) => format!("must contain an item that fits {wanted}"),
        (Some(least), None) => format!("must contain at least {least} items that fit {wanted}"),
        (None, Some(most)) => format!("must contain 1 to {most} items that fit {wanted}"),
        (Some(least), Some(most)) => {
            format!("must contain {least} to {most} items that fit {wanted}")
        }
    }
}

/// A text that is not ours, on one line and cut.
pub(super) fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(FOREIGN_TEXT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
