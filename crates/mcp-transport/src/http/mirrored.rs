//! Tool parameters that a server wants mirrored into `Mcp-Param-*` headers (2026-07-28,
//! basic/transports/streamable-http §Custom Headers from Tool Parameters), and the encoding of such values.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

/// The member of a parameter's schema that names its header.
const ANNOTATION: &str = "x-mcp-header";
/// Integers beyond this are not exact in every JSON reader, and the specification refuses them.
const SAFE_INTEGER: i64 = (1 << 53) - 1;

/// More than any server takes as headers of one request; a longer list only costs its reader.
const MAX_HEADERS: usize = 1000;

/// One parameter that goes into a header: where it stands in the arguments, and the name after `Mcp-Param-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mirrored {
    path: Vec<String>,
    header: String,
}

impl Mirrored {
    /// Reads the annotations of an input schema.
    ///
    /// # Errors
    ///
    /// A text that says what is wrong with an annotation; the specification then wants the tool left out.
    pub(crate) fn of(schema: &RawValue) -> Result<Vec<Self>, String> {
        if !schema.get().contains(ANNOTATION) {
            return Ok(Vec::new());
        }
        let schema: Value = serde_json::from_str(schema.get())
            .map_err(|error| format!("its input schema cannot be read: {error}"))?;
        let mut found = Vec::new();
        walk(&schema, Some(&mut Vec::new()), &mut found)?;
        for (at, one) in found.iter().enumerate() {
            if found[..at]
                .iter()
                .any(|other: &Self| other.header.eq_ignore_ascii_case(&one.header))
            {
                return Err(format!(
                    "two parameters have the {ANNOTATION} {:?}",
                    one.header
                ));
            }
        }
        Ok(found)
    }

    /// The header's full name and its encoded value for these arguments, or nothing where they hold no value for it.
    ///
    /// # Errors
    ///
    /// An integer outside of the range that the specification allows.
    pub(crate) fn header(&self, arguments: &RawValue) -> Result<Option<(String, String)>, String> {
        let Some(value) = self.value(arguments)? else {
            return Ok(None);
        };
        Ok(Some((format!("Mcp-Param-{}", self.header), encode(&value))))
    }

    fn value(&self, arguments: &RawValue) -> Result<Option<String>, String> {
        let mut value = arguments;
        for name in &self.path {
            let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(value.get())
            else {
                return Ok(None);
            };
            match members.get(name) {
                Some(member) => value = member,
                None => return Ok(None),
            }
        }
        match Value::deserialize(value) {
            Ok(Value::String(text)) => Ok(Some(text)),
            Ok(Value::Bool(flag)) => Ok(Some(flag.to_string())),
            Ok(Value::Number(number)) => self.integer(&number).map(Some),
            _ => Ok(None),
        }
    }

    fn integer(&self, number: &serde_json::Number) -> Result<String, String> {
        let whole = number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            // `as` saturates, so that what is out of range stays out of range.
            #[expect(
                clippy::cast_possible_truncation,
                reason = "checked to be whole, and a saturated value is refused below"
            )]
            (float.fract() == 0.0).then_some(float as i64)
        });
        match whole {
            Some(whole) if whole.unsigned_abs() <= SAFE_INTEGER.unsigned_abs() => {
                Ok(whole.to_string())
            }
            _ => Err(format!(
                "the argument {} is mirrored into a header and must be an integer within ±(2^53 - 1)",
                self.path.join(".")
            )),
        }
    }
}

/// A value as a header may carry it; what plain ASCII cannot carry goes as base64 between the specification's marks.
pub(crate) fn encode(value: &str) -> String {
    let plain = value
        .bytes()
        .all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    let padded = value.starts_with([' ', '\t']) || value.ends_with([' ', '\t']);
    let marked = value.starts_with("=?base64?") && value.ends_with("?=");
    if plain && !padded && !marked {
        value.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(value))
    }
}

/// Collects the annotations. `path` is present while every step from the root was a key of `properties`.
fn walk(
    schema: &Value,
    mut path: Option<&mut Vec<String>>,
    found: &mut Vec<Mirrored>,
) -> Result<(), String> {
    let Value::Object(members) = schema else {
        return Ok(());
    };
    if let Some(annotation) = members.get(ANNOTATION) {
        if found.len() == MAX_HEADERS {
            return Err(format!(
                "more than {MAX_HEADERS} parameters have an {ANNOTATION}"
            ));
        }
        found.push(annotated(annotation, members.get("type"), path.as_deref())?);
    }
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    if let Some(path) = path.as_deref_mut() {
                        path.push(name.clone());
                        walk(property, Some(path), found)?;
                        path.pop();
                    } else {
                        walk(property, None, found)?;
                    }
                }
            }
            (
                "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies",
                Value::Object(schemas),
            ) => {
                schemas
                    .values()
                    .try_for_each(|schema| walk(schema, None, found))?;
            }
            // These hold values, not schemas; what looks like an annotation there is data.
            ("default" | "const" | "enum" | "examples" | "example", _) => {}
            (_, Value::Array(schemas)) => schemas
                .iter()
                .try_for_each(|schema| walk(schema, None, found))?,
            (_, value) => walk(value, None, found)?,
        }
    }
    Ok(())
}

fn annotated(
    annotation: &Value,
    kind: Option<&Value>,
    path: Option<&Vec<String>>,
) -> Result<Mirrored, String> {
    let Some(header) = annotation.as_str() else {
        return Err(format!(
            "an {ANNOTATION} must be a string, not {annotation}"
        ));
    };
    let is_token_character =
        |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if header.is_empty() || !header.bytes().all(is_token_character) {
        return Err(format!("the {ANNOTATION} {header:?} is not a header name"));
    }
    let path = path.filter(|path| !path.is_empty());
    let Some(path) = path else {
        return Err(format!(
            "the {ANNOTATION} {header:?} stands where no argument can be found by `properties` alone"
        ));
    };
    let primitive = |kind: &Value| matches!(kind.as_str(), Some("string" | "integer" | "boolean"));
    let allowed = match kind {
        Some(Value::Array(kinds)) => {
            kinds.iter().any(primitive)
                && kinds.iter().all(|kind| primitive(kind) || kind == "null")
        }
        Some(kind) => primitive(kind),
        None => false,
    };
    if !allowed {
        return Err(format!(
            "the parameter {} has an {ANNOTATION}, so its type must be string, integer or boolean",
            path.join(".")
        ));
    }
    Ok(Mirrored {
        path: path.clone(),
        header: header.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::{Mirrored, encode};

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn more_headers_than_a_request_can_have_are_refused_before_they_cost_anything() {
        let schema = |count: usize| {
            let properties: Vec<_> = (0..count)
                .map(|n| format!(r#""p{n}":{{"type":"string","x-mcp-header":"P{n}"}}"#))
                .collect();
            raw(&format!(r#"{{"properties":{{{}}}}}"#, properties.join(",")))
        };
        assert_eq!(Mirrored::of(&schema(1000)).unwrap().len(), 1000);
        let error = Mirrored::of(&schema(50_000)).unwrap_err();
        assert!(error.contains("more than 1000"), "{error}");
    }

    #[test]
    fn values_are_encoded_as_the_specification_shows() {
        for (value, expected) in [
            ("us-west1", "us-west1"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("a\tb c", "a\tb c"),
            ("", ""),
        ] {
            assert_eq!(encode(value), expected, "{value:?}");
        }
    }

    #[test]
    fn annotated_parameters_become_headers() {
        let schema = raw(r#"{"type":"object","properties":{
                "region":{"type":"string","x-mcp-header":"Region"},
                "o":{"type":"object","properties":{"n":{"type":["integer","null"],"x-mcp-header":"N"}}},
                "x-mcp-header":{"type":"string"},
                "d":{"type":"object","default":{"x-mcp-header":""}}}}"#);
        let mirrored = Mirrored::of(&schema).unwrap();
        for (arguments, expected) in [
            (
                r#"{"region":"eu","o":{"n":42}}"#,
                vec!["Mcp-Param-N: 42", "Mcp-Param-Region: eu"],
            ),
            (r#"{"region":null,"o":{"n":42.0}}"#, vec!["Mcp-Param-N: 42"]),
            (r#"{"region":true,"o":7}"#, vec!["Mcp-Param-Region: true"]),
            (r#"{"o":{"n":9007199254740992}}"#, vec!["error"]),
            (r#"{"o":{"n":1.5}}"#, vec!["error"]),
            ("{}", vec![]),
        ] {
            let mut headers: Vec<_> = mirrored
                .iter()
                .filter_map(|one| match one.header(&raw(arguments)) {
                    Ok(header) => header.map(|(name, value)| format!("{name}: {value}")),
                    Err(_) => Some("error".to_owned()),
                })
                .collect();
            headers.sort();
            assert_eq!(headers, expected, "{arguments}");
        }
    }

    #[test]
    fn an_illegal_annotation_refuses_the_tool() {
        for (property, says) in [
            (
                r#"{"type":"string","x-mcp-header":""}"#,
                "not a header name",
            ),
            (
                r#"{"type":"string","x-mcp-header":"a b"}"#,
                "not a header name",
            ),
            (
                r#"{"type":"string","x-mcp-header":"a\r\nb"}"#,
                "not a header name",
            ),
            (r#"{"type":"string","x-mcp-header":7}"#, "must be a string"),
            (r#"{"type":"number","x-mcp-header":"A"}"#, "type must be"),
            (r#"{"x-mcp-header":"A"}"#, "type must be"),
            (
                r#"{"type":"array","items":{"type":"string","x-mcp-header":"A"}}"#,
                "properties",
            ),
            (
                r#"{"anyOf":[{"type":"string","x-mcp-header":"A"}]}"#,
                "properties",
            ),
            (
                r#"{"type":"object","additionalProperties":{"type":"string","x-mcp-header":"A"}}"#,
                "properties",
            ),
            (
                r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"string","x-mcp-header":"A"}}}"##,
                "properties",
            ),
        ] {
            let schema = raw(&format!(
                r#"{{"type":"object","properties":{{"p":{property}}}}}"#
            ));
            let error = Mirrored::of(&schema).unwrap_err();
            assert!(error.contains(says), "{property}: {error}");
        }
        let twice = raw(
            r#"{"properties":{"a":{"type":"string","x-mcp-header":"Id"},"b":{"type":"string","x-mcp-header":"ID"}}}"#,
        );
        assert!(Mirrored::of(&twice).unwrap_err().contains("two parameters"));
    }
}
