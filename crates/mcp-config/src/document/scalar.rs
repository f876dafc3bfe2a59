//! What a single scalar says, decided by the `json5` crate; plain ones skip it.

use std::collections::BTreeMap;

use super::node::Value;
use super::number::Number;

/// Why a scalar is wrong, and how far into it.
#[derive(Debug)]
pub(super) struct BadScalar {
    pub(super) message: String,
    /// Characters before the fault, if the fault has a place of its own within the scalar.
    pub(super) characters: usize,
}

/// Decodes a string with its quotes.
pub(super) fn string(literal: &str) -> Result<Box<str>, BadScalar> {
    let inner = literal
        .get(1..literal.len().saturating_sub(1))
        .unwrap_or_default();
    if inner.contains('\\') {
        json5::from_str::<Box<str>>(literal).map_err(|error| bad(&error, "invalid string"))
    } else {
        Ok(inner.into())
    }
}

/// Decodes a member name that is written without quotes.
pub(super) fn identifier(word: &str) -> Result<Box<str>, BadScalar> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    if word.bytes().all(plain) && !word.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(word.into());
    }
    // json5 decodes identifiers only as member names, so the word becomes one. It cannot contain anything that
    // ends a member name: the lexer's words do not.
    let object = format!("{{{word}:0}}");
    match json5::from_str::<BTreeMap<Box<str>, u8>>(&object) {
        Ok(members) => members.into_keys().next().ok_or_else(not_a_name),
        Err(_) => Err(not_a_name()),
    }
}

fn not_a_name() -> BadScalar {
    BadScalar {
        message: "a name with these characters needs quotes".to_owned(),
        characters: 0,
    }
}

/// Decodes `null`, a boolean or a number; `None` if it is none of them.
pub(super) fn word(word: &str) -> Result<Option<Value>, BadScalar> {
    match word {
        "null" => Ok(Some(Value::Null)),
        "true" => Ok(Some(Value::Bool(true))),
        "false" => Ok(Some(Value::Bool(false))),
        _ if !resembles_number(word) => Ok(None),
        _ => match json5::from_str::<f64>(word) {
            Ok(_) => Ok(Some(Value::Number(Number::new(word)))),
            Err(error) => Err(bad(&error, "invalid number")),
        },
    }
}

fn resembles_number(word: &str) -> bool {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let digits = digits.strip_prefix('.').unwrap_or(digits);
    digits.starts_with(|c: char| c.is_ascii_digit()) || matches!(digits, "Infinity" | "NaN")
}

fn bad(error: &json5::Error, what: &str) -> BadScalar {
    // A place on a later line of a continued string is not worth the counting.
    let place = error.position().filter(|position| position.line == 0);
    let characters = place.map_or(0, |position| position.column);
    let reason = match error.code() {
        Some(json5::ErrorCode::InvalidEscapeSequence) => ": invalid escape sequence".to_owned(),
        Some(json5::ErrorCode::LeadingZero) => ": a leading zero".to_owned(),
        Some(json5::ErrorCode::OverflowParsingNumber) => ": more than 128 bits".to_owned(),
        Some(json5::ErrorCode::EofParsingEscapeSequence) => {
            ": unfinished escape sequence".to_owned()
        }
        _ if what == "invalid string" => ": invalid escape sequence".to_owned(),
        _ => String::new(),
    };
    BadScalar {
        message: format!("{what}{reason}"),
        characters,
    }
}
