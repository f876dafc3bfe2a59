//! Members that are unknown, missing, or of a name that is not allowed.

use jsonschema::ValidationError;
use serde_json::Value;

use super::fault::{Context, Fault, Rank};
use super::kinds::single;
use super::suggest::{closest, hint};
use super::value::{literal, preview, quoted};

/// Unknown names that are compared with the known ones.
const COMPARED: usize = 20;

pub(super) fn unknown(
    error: &ValidationError<'_>,
    names: &[String],
    context: &Context<'_>,
) -> Vec<Fault> {
    let known = context.declared(error);
    let steps = context.steps(error);
    let member = context.member(&steps);
    let fault = |(at, name): (usize, &String)| {
        // Comparing every name with every other one has no end where there are many.
        let known: &[String] = if at < COMPARED { &known } else { &[] };
        let slip = closest(name, known).is_some();
        Fault {
            steps: steps.clone(),
            rank: if slip { Rank::Slip } else { Rank::Unknown },
            message: format!("unknown {member} {}{}", quoted(name), hint(name, known)),
        }
    };
    names.iter().enumerate().map(fault).collect()
}

pub(super) fn missing(
    error: &ValidationError<'_>,
    property: &Value,
    context: &Context<'_>,
) -> Fault {
    let steps = context.steps(error);
    let member = context.member(&steps);
    let name = property.as_str().map_or_else(|| literal(property), quoted);
    let asking = asking(error, property, context);
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

/// The member that is given and asks for another one.
fn asking<'a>(
    error: &ValidationError<'_>,
    property: &Value,
    context: &'a Context<'_>,
) -> Option<&'a str> {
    let path = error.schema_path().as_str();
    let (pointer, keyword) =
        ["/dependentRequired", "/dependencies"]
            .iter()
            .find_map(|keyword| {
                let (pointer, rest) = path.rsplit_once(keyword)?;
                (rest.is_empty() || rest.starts_with('/')).then_some((pointer, &keyword[1..]))
            })?;
    let asking = context
        .source
        .schema
        .pointer(pointer)?
        .get(keyword)?
        .as_object()?;
    let wants = |names: &Value| {
        names
            .as_array()
            .is_some_and(|names| names.contains(property))
    };
    let given = error.instance();
    let found = asking
        .iter()
        .find(|(name, names)| given.get(name.as_str()).is_some() && wants(names));
    found.map(|(name, _)| name.as_str())
}

pub(super) fn member_name(
    error: &ValidationError<'_>,
    inner: &ValidationError<'_>,
    context: &Context<'_>,
) -> Fault {
    let name: &Value = inner.instance();
    let (_, reason) = single(inner.kind(), inner, context);
    let steps = context.steps(error);
    let member = context.member(&steps);
    let message = format!("the name of {member} {} {reason}", preview(name));
    Fault {
        steps,
        rank: Rank::Unknown,
        message,
    }
}
