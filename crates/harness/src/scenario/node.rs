//! Serde over a document with positions: an error stands where the value stands. The types of the language
//! are the only description of it, for the reader and for the JSON Schema.

use std::fmt;

use mcp_config::document::{JsonPath, Member, Node, Span, Value};
use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::text::JSON_TEXT;

/// What is wrong with a document, and where.
#[derive(Debug)]
pub(super) struct NodeError {
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) place: Option<(Span, JsonPath)>,
}

impl NodeError {
    fn new(message: String, help: Option<String>) -> Self {
        NodeError {
            message,
            help,
            place: None,
        }
    }

    /// The innermost place stands: it is set first.
    fn at(mut self, span: Span, path: &JsonPath) -> Self {
        self.place.get_or_insert_with(|| (span, path.clone()));
        self
    }
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NodeError {}

impl de::Error for NodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        NodeError::new(message.to_string(), None)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        NodeError::new(
            format!("unknown member `{field}`"),
            Some(one_of(expected, "members")),
        )
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        NodeError::new(
            format!("unknown word `{variant}`"),
            Some(one_of(expected, "words")),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        NodeError::new(format!("the member `{field}` is missing"), None)
    }
}

fn one_of(expected: &[&str], what: &str) -> String {
    let list: Vec<String> = expected.iter().map(|name| format!("`{name}`")).collect();
    if list.is_empty() {
        return format!("no {what} are known here");
    }
    format!("the known {what} are {}", list.join(", "))
}

/// Reads a node as a value of the language.
#[derive(Clone)]
pub(super) struct NodeDeserializer<'de> {
    node: &'de Node,
    path: JsonPath,
}

impl<'de> NodeDeserializer<'de> {
    pub(super) fn new(node: &'de Node) -> Self {
        NodeDeserializer {
            node,
            path: JsonPath::root(),
        }
    }

    fn member(&self, member: &'de Member) -> Self {
        NodeDeserializer {
            node: member.value(),
            path: self.path.member(member.key()),
        }
    }

    fn located<T>(&self, result: Result<T, NodeError>) -> Result<T, NodeError> {
        result.map_err(|error| error.at(self.node.span(), &self.path))
    }
}

impl<'de> Deserializer<'de> for NodeDeserializer<'de> {
    type Error = NodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NodeError> {
        let result = match self.node.value() {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(natural), _, _) => visitor.visit_u64(natural),
                (_, Some(integer), _) => visitor.visit_i64(integer),
                (_, _, Some(float)) => visitor.visit_f64(float),
                _ => Err(de::Error::custom("the number is too large")),
            },
            Value::Array(items) => visitor.visit_seq(Items {
                of: &self,
                rest: items.iter(),
                index: 0,
            }),
            Value::Object(object) => visitor.visit_map(Members {
                of: &self,
                rest: object.members().iter(),
                current: None,
            }),
        };
        self.located(result)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NodeError> {
        match self.node.value() {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, NodeError> {
        match name {
            JSON_TEXT => self.located(visitor.visit_string(self.node.to_json())),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    /// A choice is an object with one member, `{ call: … }`, or a word where the choice has no content.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NodeError> {
        let result = match self.node.value() {
            Value::String(word) => visitor.visit_enum(Word { of: &self, word }),
            Value::Object(object) => match object.members() {
                [member] => visitor.visit_enum(Choice { of: &self, member }),
                members => Err(NodeError::new(
                    format!("{} members where exactly one is expected", members.len()),
                    Some(one_of(variants, "members")),
                )),
            },
            _ => Err(NodeError::new(
                format!("{} is not a {name}", self.node.kind()),
                Some(one_of(variants, "members")),
            )),
        };
        self.located(result)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'a, 'de> {
    of: &'a NodeDeserializer<'de>,
    rest: std::slice::Iter<'de, Node>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = NodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, NodeError> {
        let Some(node) = self.rest.next() else {
            return Ok(None);
        };
        let path = self.of.path.index(self.index);
        self.index += 1;
        seed.deserialize(NodeDeserializer { node, path }).map(Some)
    }
}

struct Members<'a, 'de> {
    of: &'a NodeDeserializer<'de>,
    rest: std::slice::Iter<'de, Member>,
    current: Option<&'de Member>,
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = NodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, NodeError> {
        let Some(member) = self.rest.next() else {
            return Ok(None);
        };
        self.current = Some(member);
        seed.deserialize(BorrowedStrDeserializer::new(member.key()))
            .map(Some)
            .map_err(|error: NodeError| {
                error.at(member.key_span(), &self.of.path.member(member.key()))
            })
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, NodeError> {
        match self.current.take() {
            Some(member) => seed.deserialize(self.of.member(member)),
            None => Err(de::Error::custom("a value was asked for before its name")),
        }
    }
}

/// A choice written as a word.
struct Word<'a, 'de> {
    of: &'a NodeDeserializer<'de>,
    word: &'de str,
}

impl<'de> EnumAccess<'de> for Word<'_, 'de> {
    type Error = NodeError;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), NodeError> {
        let word: StrDeserializer<'_, NodeError> = self.word.into_deserializer();
        let value = self.of.located(seed.deserialize(word))?;
        Ok((value, self))
    }
}

impl Word<'_, '_> {
    fn alone<T>(&self) -> Result<T, NodeError> {
        self.of.located(Err(NodeError::new(
            format!("`{}` needs a value", self.word),
            Some(format!("write {{ {}: … }}", self.word)),
        )))
    }
}

impl<'de> VariantAccess<'de> for Word<'_, 'de> {
    type Error = NodeError;

    fn unit_variant(self) -> Result<(), NodeError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, NodeError> {
        self.alone()
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, NodeError> {
        self.alone()
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, NodeError> {
        self.alone()
    }
}

/// A choice written as an object with one member.
struct Choice<'a, 'de> {
    of: &'a NodeDeserializer<'de>,
    member: &'de Member,
}

impl<'de> EnumAccess<'de> for Choice<'_, 'de> {
    type Error = NodeError;
    type Variant = NodeDeserializer<'de>;

    fn variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant), NodeError> {
        let inner = self.of.member(self.member);
        let word: BorrowedStrDeserializer<'_, NodeError> =
            BorrowedStrDeserializer::new(self.member.key());
        let value = seed
            .deserialize(word)
            .map_err(|error| error.at(self.member.key_span(), &inner.path))?;
        Ok((value, inner))
    }
}

impl<'de> VariantAccess<'de> for NodeDeserializer<'de> {
    type Error = NodeError;

    fn unit_variant(self) -> Result<(), NodeError> {
        self.located(Err(de::Error::custom(
            "this word stands alone, without a value",
        )))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, NodeError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, NodeError> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NodeError> {
        self.deserialize_any(visitor)
    }
}
