//! Values of a scenario that are somebody else's text: passed on as written, never interpreted here.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Visitor};

/// A JSON value of a scenario as JSON text, with the order of its members and the digits of its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonText(String);

/// By this name the reader knows that the text of the value is wanted, and not the value.
pub(super) const JSON_TEXT: &str = "$mcp_harness::JsonText";

impl JsonText {
    /// The JSON text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = JsonText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_str<E>(self, text: &str) -> Result<JsonText, E> {
                Ok(JsonText(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<JsonText, E> {
                Ok(JsonText(text))
            }
        }
        deserializer.deserialize_newtype_struct(JSON_TEXT, Text)
    }
}

impl JsonSchema for JsonText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "JsonText".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!(true)
    }
}

/// The content of a file: a string is its text as it stands, any other value is written as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Laid(String);

impl Laid {
    /// The text of the file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Laid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use crate::artifact::Json;
        let JsonText(text) = JsonText::deserialize(deserializer)?;
        match Json::parse(&text).map_err(serde::de::Error::custom)? {
            Json::String(text) => Ok(Laid(text)),
            value => Ok(Laid(value.to_text())),
        }
    }
}

impl JsonSchema for Laid {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Laid".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "object", "array"] })
    }
}
