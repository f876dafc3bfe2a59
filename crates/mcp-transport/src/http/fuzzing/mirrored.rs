//! Parameters that go into headers, and how their values are written there.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::http::mirrored::{Mirrored, encode};

/// Any text as a value: it can stand in a header and be read back. And any schema and arguments, apart by a zero byte:
/// each header has a valid name of its own and holds what the arguments say.
pub fn mirrored(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    assert_eq!(decode(&encode(text)).as_deref(), Some(text));
    let (schema, arguments) = text.split_once('\0').unwrap_or((text, "{}"));
    let raw = |text: &str| RawValue::from_string(text.to_owned()).ok();
    let (Some(schema), Some(arguments)) = (raw(schema), raw(arguments)) else {
        return;
    };
    let Ok(found) = Mirrored::of(&schema) else {
        return;
    };
    let values: Value = serde_json::from_str(arguments.get()).unwrap_or_default();
    let mut names = Vec::new();
    for parameter in found {
        let Ok(Some((name, value))) = parameter.header(&arguments) else {
            continue;
        };
        let name = HeaderName::from_bytes(name.as_bytes()).ok();
        assert!(
            name.as_ref()
                .is_some_and(|name| name.as_str().starts_with("mcp-param-"))
        );
        assert!(!names.contains(&name), "two parameters share a header");
        names.push(name);
        let value = decode(&value);
        assert!(value.is_some(), "a value that cannot be read back");
        assert!(values.is_null() || holds(&values, value.as_deref().unwrap_or_default()));
    }
}

/// The value of a header as the specification says that a server reads it.
fn decode(header: &str) -> Option<String> {
    let header = HeaderValue::from_str(header).ok()?;
    let header = header.to_str().ok()?;
    match header
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="))
    {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
        None => Some(header.to_owned()),
    }
}

/// Whether a string, boolean or whole number that is written like this stands anywhere in the arguments.
fn holds(values: &Value, written: &str) -> bool {
    match values {
        Value::String(text) => text == written,
        Value::Bool(flag) => written == if *flag { "true" } else { "false" },
        Value::Number(number) => {
            let whole = written.parse::<i64>().ok();
            whole.is_some() && (number.as_i64() == whole || number.as_f64() == written.parse().ok())
        }
        Value::Array(_) | Value::Null => false,
        Value::Object(members) => members.values().any(|value| holds(value, written)),
    }
}
