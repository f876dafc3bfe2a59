//! The tree of a document.

use std::fmt::{self, Write as _};

use super::number::Number;
use super::span::{Position, Span};

/// A value and where it stands.
///
/// Its `Debug` form shows the structure without the text of strings and numbers, since those may be credentials.
///
/// ```
/// use mcp_config::document;
///
/// let document = document::parse("t", b"{ a: [true, 'x'] }").document.expect("an object");
/// let items = document.root().get("a").and_then(|a| a.as_array()).expect("an array");
/// assert_eq!((items[0].as_bool(), items[1].as_str()), (Some(true), Some("x")));
/// assert_eq!(document.root().to_json(), r#"{"a":[true,"x"]}"#);
/// ```
#[derive(Clone, PartialEq)]
pub struct Node {
    value: Value,
    span: Span,
}

/// What a node holds.
///
/// ```
/// use mcp_config::document::{self, Value};
///
/// let document = document::parse("t", b"null").document.expect("a value");
/// assert!(matches!(document.root().value(), Value::Null));
/// ```
#[derive(Clone, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(Number),
    /// A string, decoded.
    String(Box<str>),
    /// An array.
    Array(Vec<Node>),
    /// An object.
    Object(Object),
}

/// The kind of a value, for messages: it displays as "a string", "an object", …
///
/// ```
/// use mcp_config::document::Kind;
///
/// assert_eq!(format!("expected {}", Kind::Array), "expected an array");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// The members of an object, in the order of the file. Of duplicate members only the first is here.
///
/// ```
/// use mcp_config::document;
///
/// let document = document::parse("t", b"{ z: 1, a: 2 }").document.expect("an object");
/// let object = document.root().as_object().expect("an object");
/// let names: Vec<&str> = object.members().iter().map(|member| member.key()).collect();
/// assert_eq!(names, ["z", "a"]);
/// assert_eq!(object.get("a").and_then(|member| member.value().as_u64()), Some(2));
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct Object {
    members: Vec<Member>,
}

/// A member of an object.
///
/// ```
/// use mcp_config::document;
///
/// let document = document::parse("t", b"{ a: 1 }").document.expect("an object");
/// let member = &document.root().as_object().expect("an object").members()[0];
/// assert_eq!((member.key(), member.key_position().column), ("a", 3));
/// ```
#[derive(Clone, PartialEq)]
pub struct Member {
    key: Box<str>,
    key_span: Span,
    value: Node,
}

impl Node {
    pub(super) fn new(value: Value, span: Span) -> Self {
        Node { value, span }
    }

    /// What the node holds.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The stretch of the text.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Where it begins.
    pub fn position(&self) -> Position {
        self.span.position
    }

    /// The kind of its value.
    pub fn kind(&self) -> Kind {
        match self.value {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<&Number> {
        match &self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The number as `u64`, if it is one, whole, and fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number().and_then(Number::as_u64)
    }

    /// The number as `i64`, if it is one, whole, and fits.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number().and_then(Number::as_i64)
    }

    /// The number as `f64`, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number().and_then(Number::as_f64)
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if it is an array.
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match &self.value {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The value of a member, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_object()?.get(key).map(Member::value)
    }

    /// The value as compact JSON: members in their order, numbers with their digits. JSON cannot say `Infinity` and
    /// `NaN`, which become `null`. The text contains every string, credentials too.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        self.write_json(&mut json);
        json
    }

    /// Recursion is bounded by the depth that the reader allows.
    fn write_json(&self, json: &mut String) {
        match &self.value {
            Value::Null => json.push_str("null"),
            Value::Bool(value) => json.push_str(if *value { "true" } else { "false" }),
            Value::Number(number) => json.push_str(&number.to_json()),
            Value::String(text) => push_string(json, text),
            Value::Array(items) => {
                json.push('[');
                for (index, item) in items.iter().enumerate() {
                    json.push_str(if index == 0 { "" } else { "," });
                    item.write_json(json);
                }
                json.push(']');
            }
            Value::Object(object) => {
                json.push('{');
                for (index, member) in object.members.iter().enumerate() {
                    json.push_str(if index == 0 { "" } else { "," });
                    push_string(json, &member.key);
                    json.push(':');
                    member.value.write_json(json);
                }
                json.push('}');
            }
        }
    }
}

fn push_string(json: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = write!(json, "{}", serde_json::Value::from(text));
}

impl Object {
    pub(super) fn new(members: Vec<Member>) -> Self {
        Object { members }
    }

    /// The members in the order of the file.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The member of that name.
    pub fn get(&self, key: &str) -> Option<&Member> {
        self.members.iter().find(|member| &*member.key == key)
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl Member {
    pub(super) fn new(key: Box<str>, key_span: Span, value: Node) -> Self {
        Member {
            key,
            key_span,
            value,
        }
    }

    /// The name, decoded.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Where the name stands.
    pub fn key_span(&self) -> Span {
        self.key_span
    }

    /// Where the name begins.
    pub fn key_position(&self) -> Position {
        self.key_span.position
    }

    /// The value.
    pub fn value(&self) -> &Node {
        &self.value
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        })
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Number(number) => write!(f, "{number:?}"),
            Value::String(text) => write!(f, "String({} bytes)", text.len()),
            Value::Array(items) => f.debug_list().entries(items).finish(),
            Value::Object(object) => write!(f, "{object:?}"),
        }
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self
            .members
            .iter()
            .map(|member| (&member.key, &member.value));
        f.debug_map().entries(entries).finish()
    }
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {:?}", self.key, self.value)
    }
}
