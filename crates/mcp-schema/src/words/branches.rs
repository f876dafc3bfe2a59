//! What is wrong where none of several alternatives fits: told for the one that was most likely
//! meant, or for all together where they ask for the same kind of thing.

use std::fmt::Write as _;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;

use super::fault::{Context, Fault, Rank};
use super::kinds;
use super::types::{joined, type_names, wrong_type};
use super::value::{literal, preview, quoted};

type Branch = [ValidationError<'static>];

/// The faults of a value that fits none of its alternatives.
pub(super) fn faults(
    error: &ValidationError<'_>,
    branches: &[Vec<ValidationError<'static>>],
    context: &Context<'_>,
) -> Vec<Fault> {
    let at = error.instance_path().as_str();
    let typed: Vec<&Branch> = branches
        .iter()
        .map(Vec::as_slice)
        .filter(|branch| !misses_type(branch, at))
        .collect();
    if typed.is_empty() {
        return vec![no_type(error, branches, context)];
    }
    if let Some(fault) = values(error, &typed, context).or_else(|| members(error, &typed, context))
    {
        return vec![fault];
    }
    let chosen: Vec<&Branch> = typed
        .iter()
        .copied()
        .filter(|branch| !misses_tag(branch, at))
        .collect();
    let chosen = if chosen.is_empty() {
        if let Some(fault) = tags(&typed, context) {
            return vec![fault];
        }
        typed
    } else {
        chosen
    };
    let Some(closest) = chosen.iter().min_by_key(|branch| branch.len()) else {
        return vec![context.fault(error, Rank::Other, "fits none of its alternatives")];
    };
    let ambiguous = chosen.len() > 1;
    let mut told: Vec<Fault> = closest
        .iter()
        .flat_map(|error| kinds::faults(error, context))
        .collect();
    if ambiguous {
        for fault in &mut told {
            let _ = write!(fault.message, " (closest of {} alternatives)", chosen.len());
        }
    }
    if told.is_empty() {
        told.push(context.fault(error, Rank::Other, "fits none of its alternatives"));
    }
    told
}

/// The message for a value that fits several alternatives of which it may fit one.
pub(super) fn too_many(branches: &[Vec<ValidationError<'static>>]) -> String {
    let fitting = branches
        .iter()
        .enumerate()
        .filter(|(_, branch)| branch.is_empty());
    let numbers: Vec<String> = fitting
        .map(|(index, _)| (index + 1).to_string())
        .take(8)
        .collect();
    let (all, numbers) = (branches.len(), numbers.join(" and "));
    format!("must fit exactly one of {all} alternatives, not numbers {numbers} at once")
}

/// Whether an alternative wants another type of value altogether.
fn misses_type(branch: &Branch, at: &str) -> bool {
    branch.iter().any(|error| {
        error.instance_path().as_str() == at
            && match error.kind() {
                Kind::Type { .. } => true,
                Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                    context.iter().all(|branch| misses_type(branch, at))
                }
                _ => false,
            }
    })
}

fn no_type(
    error: &ValidationError<'_>,
    branches: &[Vec<ValidationError<'static>>],
    context: &Context<'_>,
) -> Fault {
    let mut names = Vec::new();
    collect_types(branches, error.instance_path().as_str(), &mut names);
    let (rank, message) = wrong_type(&names, error.instance());
    context.fault(error, rank, &message)
}

fn collect_types(
    branches: &[Vec<ValidationError<'static>>],
    at: &str,
    names: &mut Vec<&'static str>,
) {
    let errors = branches.iter().flatten();
    for error in errors.filter(|error| error.instance_path().as_str() == at) {
        match error.kind() {
            Kind::Type { kind } => {
                for name in type_names(kind) {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                collect_types(context, at, names);
            }
            _ => {}
        }
    }
}

/// Alternatives that are all single values, or lists of them.
fn values(
    error: &ValidationError<'_>,
    branches: &[&Branch],
    context: &Context<'_>,
) -> Option<Fault> {
    let mut wanted = Vec::new();
    for branch in branches {
        let [only] = branch else { return None };
        if only.instance_path() != error.instance_path() {
            return None;
        }
        match only.kind() {
            Kind::Constant { expected_value } => wanted.push(literal(expected_value)),
            Kind::Enum { options } => {
                wanted.extend(options.as_array().into_iter().flatten().map(literal));
            }
            _ => return None,
        }
    }
    wanted.truncate(12);
    let message = format!(
        "must be {}, got {}",
        joined(&wanted),
        preview(error.instance())
    );
    Some(context.fault(error, Rank::WrongValue, &message))
}

/// Alternatives that all only ask for another member.
fn members(
    error: &ValidationError<'_>,
    branches: &[&Branch],
    context: &Context<'_>,
) -> Option<Fault> {
    let mut wanted = Vec::new();
    for branch in branches {
        let mut names = Vec::new();
        for error_of in *branch {
            match error_of.kind() {
                Kind::Required { property }
                    if error_of.instance_path() == error.instance_path() =>
                {
                    names.push(property.as_str().map_or_else(|| literal(property), quoted));
                }
                _ => return None,
            }
        }
        let together = match names.as_slice() {
            [one] => one.clone(),
            _ => format!("({})", names.join(" and ")),
        };
        if !wanted.contains(&together) {
            wanted.push(together);
        }
    }
    if branches.len() < 2 || wanted.is_empty() {
        return None;
    }
    wanted.truncate(8);
    Some(context.fault(
        error,
        Rank::Missing,
        &format!("must have {}", joined(&wanted)),
    ))
}

/// Whether an alternative is not the one that a member of the value names.
fn misses_tag(branch: &Branch, at: &str) -> bool {
    branch.iter().any(|error| is_tag(error, at))
}

/// Whether an error is about a member, right below a place, that may have one value only.
fn is_tag(error: &ValidationError<'_>, at: &str) -> bool {
    let below = error.instance_path().as_str().strip_prefix(at);
    let direct = below.is_some_and(|rest| rest.len() > 1 && !rest[1..].contains('/'));
    let single = match error.kind() {
        Kind::Constant { .. } => true,
        Kind::Enum { options } => options.as_array().is_some_and(|options| options.len() == 1),
        _ => false,
    };
    direct && single
}

/// No alternative has the tag that the value has: which tags there are.
fn tags(branches: &[&Branch], context: &Context<'_>) -> Option<Fault> {
    let errors: Vec<&ValidationError<'static>> = branches
        .iter()
        .filter_map(|branch| {
            branch
                .iter()
                .find(|error| matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. }))
        })
        .collect();
    let first = errors.first()?;
    if errors
        .iter()
        .any(|error| error.instance_path() != first.instance_path())
    {
        return None;
    }
    let mut wanted: Vec<String> = Vec::new();
    for error in &errors {
        let values: Vec<String> = match error.kind() {
            Kind::Constant { expected_value } => vec![literal(expected_value)],
            Kind::Enum { options } => options.as_array()?.iter().map(literal).collect(),
            _ => Vec::new(),
        };
        wanted.extend(values);
    }
    wanted.dedup();
    wanted.truncate(12);
    let message = format!(
        "must be {}, got {}",
        joined(&wanted),
        preview(first.instance())
    );
    Some(context.fault(first, Rank::WrongValue, &message))
}
