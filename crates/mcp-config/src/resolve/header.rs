//! What a header's value must be, once it is resolved.

use super::error::ResolveError;
use super::expand::Expanded;

/// Schemes that are never a whole value of `Authorization`.
const SCHEMES: [&str; 9] = [
    "bearer",
    "basic",
    "token",
    "digest",
    "apikey",
    "api-key",
    "negotiate",
    "key",
    "ntlm",
];

pub(super) fn check(name: &str, value: &Expanded) -> Result<(), ResolveError> {
    check_characters(&value.text)?;
    let variables = value.empty_variables();
    let trimmed = value.text.trim_matches([' ', '\t']);
    // `Bearer:` is a frequent slip, and no more of a credential.
    let scheme = trimmed.strip_suffix(':').unwrap_or(trimmed);
    if trimmed.is_empty() {
        return Err(ResolveError::EmptyHeader { variables });
    }
    // `Bearer ` in front of references that are all empty, in any header; a known scheme alone where a credential
    // is expected, wherever it came from.
    let dangling = value.text.ends_with(' ') && (value.is_hollow() || is_scheme(scheme));
    let bare = expects_credential(name) && is_scheme(scheme);
    if is_word(scheme) && (dangling || bare) {
        return Err(ResolveError::BareScheme {
            scheme: trimmed.to_owned(),
            variables,
        });
    }
    Ok(())
}

/// What is wrong with a header that is the same whatever the environment holds.
pub(crate) fn literal_header_fault(name: &str, value: &str) -> Option<ResolveError> {
    let expanded = Expanded {
        text: value.to_owned(),
        ingredients: Vec::new(),
    };
    check(name, &expanded).err()
}

fn check_characters(value: &str) -> Result<(), ResolveError> {
    let what = value.chars().find_map(|c| match c {
        '\r' | '\n' => Some("a line break"),
        '\0' => Some("a NUL character"),
        '\t' | ' '..='~' => None,
        _ if c.is_ascii() => Some("a control character"),
        _ => Some("a character that is not ASCII"),
    });
    what.map_or(Ok(()), |what| Err(ResolveError::InvalidHeader { what }))
}

pub(super) fn expects_credential(name: &str) -> bool {
    name.eq_ignore_ascii_case("authorization") || name.eq_ignore_ascii_case("proxy-authorization")
}

pub(super) fn is_scheme(value: &str) -> bool {
    SCHEMES
        .iter()
        .any(|scheme| value.eq_ignore_ascii_case(scheme))
}

fn is_word(value: &str) -> bool {
    value
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}
