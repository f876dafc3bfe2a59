//! How much of a model's context tools take: an estimate. Each model counts in its own way, and none of their
//! tokenizers is worth its megabytes here; a quarter of the bytes of the JSON is what English text and
//! schemas come to.

use serde::Serialize;
use serde_json::value::RawValue;

/// Bytes of JSON that make a token.
const BYTES: usize = 4;

/// What most providers are sent of a tool.
#[derive(Serialize)]
struct Declared<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a RawValue,
}

/// The tokens of one tool, about.
pub(super) fn tokens(name: &str, description: Option<&str>, input_schema: &RawValue) -> usize {
    let declared = Declared {
        name,
        description: description.unwrap_or_default(),
        input_schema,
    };
    // Texts and raw JSON always serialise.
    let bytes = serde_json::to_string(&declared).map_or(0, |json| json.len());
    bytes.div_ceil(BYTES)
}
