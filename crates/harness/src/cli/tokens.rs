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

/// `1234567` as `1,234,567`.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 tool`, `2 tools`.
pub(super) fn plural(number: usize, word: &str) -> String {
    format!(
        "{} {word}{}",
        count(number),
        if number == 1 { "" } else { "s" }
    )
}

#[cfg(test)]
mod tests {
    use super::{count, plural};

    #[test]
    fn numbers_are_grouped() {
        let shown = [0, 999, 1000, 1_234_567].map(count);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            (plural(1, "tool"), plural(0, "tool")),
            ("1 tool".to_owned(), "0 tools".to_owned())
        );
    }
}
