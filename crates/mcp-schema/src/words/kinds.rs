//! What each kind of error is called.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::branches;
use super::fault::{Context, Fault, Rank, Subject, is_open};
use super::members::{member_name, missing, unknown};
use super::suggest::closest;
use super::types::{type_names, wrong_type};
use super::value::{literal, preview, quoted};
use crate::path::Step;

/// Values of an enumeration that are listed.
const LISTED: usize = 12;

/// Characters of a text that is not ours.
const FOREIGN_TEXT: usize = 200;

/// Said where no value will do.
const NOTHING: &str = "can have no value at all, leave it out";

/// The faults that one error amounts to: none for a match that could not be finished.
pub(super) fn faults(error: &ValidationError<'_>, context: &Context<'_>) -> Vec<Fault> {
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unknown(error, unexpected, context)
        }
        Kind::FalseSchema => match shut_out(error, context) {
            Some(unexpected) => unknown(error, &unexpected, context),
            None => vec![whole(error, context)],
        },
        Kind::Required { property } => vec![missing(error, property, context)],
        Kind::AnyOf { context: branches } | Kind::OneOfNotValid { context: branches } => {
            branches::faults(error, branches, context)
        }
        Kind::PropertyNames { error: inner } => vec![member_name(error, inner, context)],
        // What is open is not a violation.
        _ if is_open(error) => Vec::new(),
        _ => vec![whole(error, context)],
    }
}

/// The fault of an error that concerns one value as a whole.
fn whole(error: &ValidationError<'_>, context: &Context<'_>) -> Fault {
    let (rank, message) = single(error.kind(), error, context);
    context.fault(error, rank, &message)
}

/// The members of an object that is closed and declares none: the validator tells of the first one,
/// at the place of the object.
fn shut_out(error: &ValidationError<'_>, context: &Context<'_>) -> Option<Vec<String>> {
    error
        .schema_path()
        .as_str()
        .strip_suffix("/additionalProperties")?;
    let object = context.instance.pointer(error.instance_path().as_str())?;
    Some(object.as_object()?.keys().cloned().collect())
}

/// The message for a kind that concerns one value as a whole.
pub(super) fn single(
    kind: &Kind,
    error: &ValidationError<'_>,
    context: &Context<'_>,
) -> (Rank, String) {
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
        Kind::FalseSchema => (Rank::Unknown, "must not be given, leave it out".to_owned()),
        Kind::Pattern { pattern } => (
            Rank::WrongValue,
            format!(
                "must match the pattern {}, got {}",
                quoted(context.source.originals.get(pattern).unwrap_or(pattern)),
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
    pub(super) fn member(&self, steps: &[Step]) -> &'static str {
        if steps.is_empty() && self.subject == Subject::Arguments {
            "argument"
        } else {
            "member"
        }
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
    let least = member("minContains").and_then(Value::as_u64);
    let most = member("maxContains").and_then(Value::as_u64);
    let count = match (least, most) {
        (None | Some(1), None) => "an item".to_owned(),
        (Some(least), None) => format!("at least {least} items"),
        (None | Some(1), Some(1)) => "exactly one item".to_owned(),
        (least, Some(most)) => format!("{} to {most} items", least.unwrap_or(1)),
    };
    let fits = if count.ends_with('s') { "fit" } else { "fits" };
    format!("must contain {count} that {fits} {wanted}")
}

/// A text that is not ours, on one line and cut.
pub(super) fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(FOREIGN_TEXT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
