//! The envelope of a message, read once: the members of a result are found on the way, and every
//! value stays text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::value::RawValue;

use super::members::{Body, Member, Members, place_in};

/// One JSON-RPC message, borrowed from its text.
#[derive(Debug, Default)]
pub(crate) struct Envelope<'a> {
    /// Whether `jsonrpc` is "2.0".
    pub(crate) version: bool,
    pub(crate) id: Option<&'a RawValue>,
    /// One that is null counts as absent: some servers write every member that a message could have.
    pub(crate) method: Option<Cow<'a, str>>,
    /// `method` is there but is no string.
    pub(crate) bad_method: bool,
    pub(crate) params: Option<&'a RawValue>,
    pub(crate) result: Option<Body>,
    pub(crate) error: Option<&'a RawValue>,
}

/// What an answer holds, as places in its text.
#[derive(Debug)]
pub(crate) enum Outcome {
    Result(Body),
    Error(Range<usize>),
    /// Not an answer as JSON-RPC has it; says why.
    Malformed(&'static str),
}

impl<'a> Envelope<'a> {
    /// Reads a message. The error is that of the JSON, or says that it is no object.
    pub(crate) fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let envelope = EnvelopeSeed { text }.deserialize(&mut reader)?;
        reader.end()?;
        Ok(envelope)
    }

    /// Whether this is an answer or was meant as one. A server that repeats the method of what it answers gives a result
    /// or an error with it, which neither a request nor a notification has.
    pub(crate) fn is_answer(&self) -> bool {
        if self.method.is_none() && !self.bad_method {
            return self.result.is_some() || self.error.is_some();
        }
        let has_result = self.result.as_ref().is_some_and(|body| !body.is_null());
        let has_error = self.error.is_some_and(|error| error.get() != "null");
        self.has_id() && (has_result || has_error)
    }

    /// Whether it has an id that is not null.
    pub(crate) fn has_id(&self) -> bool {
        self.id.is_some_and(|id| id.get() != "null")
    }

    /// What the answer holds. An `error` that is null beside a result counts as absent.
    pub(crate) fn into_outcome(self, text: &str) -> Outcome {
        if !self.version {
            return Outcome::Malformed("member \"jsonrpc\" is not \"2.0\"");
        }
        let error = self.error.filter(|error| error.get() != "null");
        match (self.result, error) {
            (None, Some(error)) => Outcome::Error(place_in(text, error)),
            (Some(body), Some(error)) if body.is_null() => Outcome::Error(place_in(text, error)),
            (Some(_), Some(_)) => Outcome::Malformed("both a result and an error"),
            (Some(body), None) => Outcome::Result(body),
            (None, None) => Outcome::Malformed("neither a result nor an error"),
        }
    }
}

struct EnvelopeSeed<'a> {
    text: &'a str,
}

impl<'a> EnvelopeSeed<'a> {
    /// Reads a result whose text is known already.
    fn body(&self, json: &'a RawValue) -> Result<Body, serde_json::Error> {
        let seed = BodySeed {
            text: self.text,
            from: place_in(self.text, json).start,
        };
        seed.deserialize(&mut serde_json::Deserializer::from_str(json.get()))
    }
}

impl<'de> DeserializeSeed<'de> for EnvelopeSeed<'de> {
    type Value = Envelope<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for EnvelopeSeed<'de> {
    type Value = Envelope<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON-RPC message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut envelope = Envelope::default();
        while let Some(Key(key)) = map.next_key()? {
            match &*key {
                "jsonrpc" => envelope.version = map.next_value::<&RawValue>()?.get() == "\"2.0\"",
                "id" => envelope.id = Some(map.next_value()?),
                "method" => {
                    let method = map.next_value::<&RawValue>()?.get();
                    envelope.method = serde_json::from_str(method).ok().map(|Key(name)| name);
                    envelope.bad_method = envelope.method.is_none() && method != "null";
                }
                "params" => envelope.params = Some(map.next_value()?),
                "result" => {
                    envelope.result = Some(match key {
                        Cow::Borrowed(key) => map.next_value_seed(BodySeed {
                            text: self.text,
                            from: place(self.text, key.as_ptr()) + key.len(),
                        })?,
                        // A name with escapes is a copy, which does not tell where its value begins.
                        Cow::Owned(_) => self.body(map.next_value()?).map_err(Error::custom)?,
                    });
                }
                "error" => envelope.error = Some(map.next_value()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(envelope)
    }
}

/// A member's name, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;

        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(KeyVisitor)
    }
}

/// Reads the `result`: an object's members are found in the same pass.
struct BodySeed<'a> {
    text: &'a str,
    /// Where the value begins, or a place before it with nothing but the end of its name between.
    from: usize,
}

impl<'de> DeserializeSeed<'de> for BodySeed<'de> {
    type Value = Body;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Body, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BodySeed<'de> {
    type Value = Body;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Body, A::Error> {
        let mut members = Members::default();
        let open = self.from + find(&self.text[self.from..], b'{');
        let mut last = open + 1;
        while let Some(Key(key)) = map.next_key()? {
            let range = place_in(self.text, map.next_value::<&RawValue>()?);
            last = range.end;
            if let Some(member) = Member::from_name(&key) {
                members.set(member, &range);
            }
        }
        // Nothing but white space stands between the last value and the end of the object.
        let rest = self.text.get(last..).unwrap_or_default();
        members.range = open..last + find(rest, b'}') + 1;
        Ok(Body::Object(Box::new(members)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Body, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Body::Other("an array"))
    }

    fn visit_str<E>(self, _: &str) -> Result<Body, E> {
        Ok(Body::Other("a string"))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Body, E> {
        Ok(Body::Other("a boolean"))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Body, E> {
        Ok(Body::Other("a number"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Body, E> {
        Ok(Body::Other("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Body, E> {
        Ok(Body::Other("a number"))
    }

    fn visit_unit<E>(self) -> Result<Body, E> {
        Ok(Body::Other("null"))
    }
}

fn place(base: &str, at: *const u8) -> usize {
    (at as usize).wrapping_sub(base.as_ptr() as usize)
}

/// The place of a byte; only white space can stand before it.
fn find(text: &str, byte: u8) -> usize {
    text.bytes().position(|other| other == byte).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result_of(text: &str) -> (String, Box<Members>) {
        let envelope = Envelope::parse(text).unwrap();
        match envelope.into_outcome(text) {
            Outcome::Result(Body::Object(members)) => {
                (text[members.range.clone()].to_owned(), members)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_result_is_found_with_its_members_in_one_pass() {
        let cases = [
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "{}", None),
            (r#"{"result" : { } ,"jsonrpc":"2.0","id":1}"#, "{ }", None),
            (
                r#"{"jsonrpc":"2.0","id":1,"result": {"a":{"}":1},"content":[{"}":2}] } }"#,
                r#"{"a":{"}":1},"content":[{"}":2}] }"#,
                Some(r#"[{"}":2}]"#),
            ),
            (
                r#"{"id":1,"result":{"content":1,"content":2},"error":null,"jsonrpc":"2.0"}"#,
                r#"{"content":1,"content":2}"#,
                Some("2"),
            ),
            (
                r#"{"id":1,"result":{"con\u0074ent":[]},"jsonrpc":"2.0"}"#,
                r#"{"con\u0074ent":[]}"#,
                Some("[]"),
            ),
            (r#"{"jsonrpc":"2.0","id":1,"re\u0073ult": {}}"#, "{}", None),
            (
                r#"{"re\u0073ult":{"a":[{}],"content": 3 },"jsonrpc":"2.0","id":1}"#,
                r#"{"a":[{}],"content": 3 }"#,
                Some("3"),
            ),
        ];
        for (text, whole, content) in cases {
            let (found, members) = result_of(text);
            assert_eq!(found, whole, "{text}");
            assert_eq!(members.get(text, Member::Content), content, "{text}");
        }
    }

    #[test]
    fn what_is_no_answer_says_why() {
        let cases = [
            (
                r#"{"id":1,"result":{}}"#,
                "member \"jsonrpc\" is not \"2.0\"",
            ),
            (
                r#"{"jsonrpc":"1.0","id":1,"result":{}}"#,
                "member \"jsonrpc\" is not \"2.0\"",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
                "both a result and an error",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1}"#,
                "neither a result nor an error",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"error":null}"#,
                "neither a result nor an error",
            ),
        ];
        for (text, expected) in cases {
            let outcome = Envelope::parse(text).unwrap().into_outcome(text);
            assert!(
                matches!(outcome, Outcome::Malformed(why) if why == expected),
                "{text}: {outcome:?}"
            );
        }
    }
}
