//! Entries with a URL.

use mcp_config::{Environment, Secret, ServerEntry, Transport};
use mcp_transport::HttpSpec;

use crate::connect::Target;
use crate::server::{Failure, FailureKind};

/// The endpoint to dial.
pub(super) fn target(
    url: &str,
    headers: &[(String, Secret)],
    environment: &Environment,
) -> Result<Target, Failure> {
    let spec =
        HttpSpec::new(url).map_err(|error| Failure::of(&error).of_kind(FailureKind::Value))?;
    // Variables that are not Unicode cannot name a proxy or a certificate.
    let variables = environment
        .iter()
        .filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)));
    let spec = headers
        .iter()
        .try_fold(spec.environment(variables), |spec, (name, value)| {
            spec.header(name, value.expose())
        })
        .map_err(|error| Failure::of(&error).of_kind(FailureKind::Value))?;
    Ok(Target::Http(Box::new(spec)))
}

/// Where the value of a header comes from, for a person whose credential was refused.
pub(crate) fn behind_header(entry: &ServerEntry, header: &str) -> Option<String> {
    let Transport::Http(http) = entry.transport() else {
        return None;
    };
    let (name, value) = http
        .headers()
        .find(|(name, _)| name.eq_ignore_ascii_case(header))?;
    let origin = value.origin();
    let variables: Vec<&str> = value.variables().into_iter().collect();
    Some(match (value.command(), variables.is_empty()) {
        (Some(_), _) => format!("the header {name} comes from a command ({origin})"),
        (None, false) => format!(
            "the header {name} comes from the variable {} ({origin})",
            variables.join(", ")
        ),
        (None, true) => format!("the header {name} is written in the configuration ({origin})"),
    })
}
