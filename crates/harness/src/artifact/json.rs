//! JSON as a value that keeps what reviewers must see: the order of members, repeated members and the
//! digits of numbers. It owns reading that from text; how it is printed is `print`'s.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

/// A JSON value in the order and with the digits of its text.
///
/// ```
/// use mcp_harness::artifact::Json;
///
/// let value = Json::parse(r#"{"b": 1.50, "a": [true]}"#)?;
/// assert_eq!(value.to_line(), r#"{"b":1.50,"a":[true]}"#);
/// assert_eq!(value.sorted().to_line(), r#"{"a":[true],"b":1.50}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object: members in the order of the text, repeated ones included.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads one JSON text.
    pub fn parse(text: &str) -> Result<Json, serde_json::Error> {
        Json::of(serde_json::from_str::<&RawValue>(text)?)
    }

    /// Reads a value that was already found to be JSON. A string that is no valid Unicode (a lone
    /// surrogate) is still an error.
    pub fn of(raw: &RawValue) -> Result<Json, serde_json::Error> {
        let text = raw.get();
        Ok(match text.as_bytes().first() {
            Some(b'{') => {
                let members: Members<'_> = serde_json::from_str(text)?;
                let members = members
                    .0
                    .into_iter()
                    .map(|(name, raw)| Ok((name, Json::of(raw)?)));
                Json::Object(members.collect::<Result<_, serde_json::Error>>()?)
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                Json::Array(items.into_iter().map(Json::of).collect::<Result<_, _>>()?)
            }
            Some(b'"') => Json::String(serde_json::from_str(text)?),
            Some(b't' | b'f') => Json::Bool(serde_json::from_str(text)?),
            Some(b'n') => Json::Null,
            _ => Json::Number(text.to_owned()),
        })
    }

    /// The value of a text that may not be JSON: such a text is shown as a string.
    pub fn lenient(text: &str) -> Json {
        Json::parse(text).unwrap_or_else(|_| Json::String(text.to_owned()))
    }

    /// An object of these members, in this order.
    pub fn object<N: Into<String>>(members: impl IntoIterator<Item = (N, Json)>) -> Json {
        Json::Object(
            members
                .into_iter()
                .map(|(name, value)| (name.into(), value))
                .collect(),
        )
    }

    /// The member of an object; the first of repeated ones.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a number that is a natural number.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Json::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// The same value with the members of every object sorted by name: the canonical form.
    #[must_use]
    pub fn sorted(self) -> Json {
        match self {
            Json::Array(items) => Json::Array(items.into_iter().map(Json::sorted).collect()),
            Json::Object(members) => {
                let mut members: Vec<_> = members
                    .into_iter()
                    .map(|(name, value)| (name, value.sorted()))
                    .collect();
                members.sort_by(|(a, _), (b, _)| a.cmp(b));
                Json::Object(members)
            }
            other => other,
        }
    }

    /// The same value with every string, names of members included, changed by `change`.
    #[must_use]
    pub fn map_strings(self, change: &dyn Fn(String) -> String) -> Json {
        match self {
            Json::String(text) => Json::String(change(text)),
            Json::Array(items) => Json::Array(
                items
                    .into_iter()
                    .map(|item| item.map_strings(change))
                    .collect(),
            ),
            Json::Object(members) => Json::Object(
                members
                    .into_iter()
                    .map(|(name, value)| (change(name), value.map_strings(change)))
                    .collect(),
            ),
            other => other,
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::String(text)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Json {
        Json::Number(value.to_string())
    }
}

impl From<usize> for Json {
    fn from(value: usize) -> Json {
        Json::Number(value.to_string())
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Json {
        Json::Array(items.into_iter().map(Into::into).collect())
    }
}

/// The SHA-256 of bytes in lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    use fmt::Write as _;
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut hex, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

/// The members of an object in the order of the text, which a map would lose.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
