//! Which draft of JSON Schema a schema is written in.

use jsonschema::Draft;
use serde_json::Value;

/// The dialects, by the path of their meta-schema's address.
const DIALECTS: [(&str, Draft); 5] = [
    ("json-schema.org/draft/2020-12/schema", Draft::Draft202012),
    ("json-schema.org/draft/2019-09/schema", Draft::Draft201909),
    ("json-schema.org/draft-07/schema", Draft::Draft7),
    ("json-schema.org/draft-06/schema", Draft::Draft6),
    ("json-schema.org/draft-04/schema", Draft::Draft4),
];

/// A `$schema` that names no dialect we know, as a person would read it.
#[derive(Debug)]
pub(crate) struct UnknownDialect(pub(crate) String);

/// The draft of a whole schema: by its `$schema`, 2020-12 where it has none.
pub(crate) fn of(schema: &Value) -> Result<Draft, UnknownDialect> {
    match schema.get("$schema") {
        None => Ok(Draft::Draft202012),
        Some(Value::String(address)) => {
            named(address).ok_or_else(|| UnknownDialect(crate::words::quoted(address)))
        }
        Some(other) => Err(UnknownDialect(crate::words::preview(other))),
    }
}

/// The address under which the libraries know a draft.
pub(crate) fn address(draft: Draft) -> &'static str {
    match draft {
        Draft::Draft4 => "http://json-schema.org/draft-04/schema#",
        Draft::Draft6 => "http://json-schema.org/draft-06/schema#",
        Draft::Draft7 => "http://json-schema.org/draft-07/schema#",
        Draft::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
        _ => "https://json-schema.org/draft/2020-12/schema",
    }
}

/// Servers write the address with either scheme, with and without the empty fragment.
fn named(address: &str) -> Option<Draft> {
    let address = address.trim();
    let path = ["https://", "http://"].iter().find_map(|scheme| {
        address
            .get(..scheme.len())?
            .eq_ignore_ascii_case(scheme)
            .then(|| &address[scheme.len()..])
    })?;
    let path = path.trim_end_matches('#').trim_end_matches('/');
    DIALECTS
        .iter()
        .find(|(known, _)| *known == path)
        .map(|(_, draft)| *draft)
}
