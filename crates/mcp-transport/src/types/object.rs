//! A JSON object as its members' texts: what is known is taken out, the rest stays as it was written.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::wire::kind_of;

/// The members of an object in their order. Of a member written twice the last one counts.
#[derive(Debug)]
pub(crate) struct Object<'a> {
    members: Vec<(Cow<'a, str>, &'a RawValue)>,
}

/// What is wrong with a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) member: &'static str,
    pub(crate) message: String,
}

impl<'a> Object<'a> {
    pub(crate) fn parse(json: &'a str) -> Result<Self, String> {
        if !json.starts_with('{') {
            return Err(format!("expected an object, found {}", kind_of(json)));
        }
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    /// Takes a member out, unless it is absent or null.
    pub(crate) fn take(&mut self, name: &str) -> Option<&'a RawValue> {
        // Most objects have few members, in which a search is the cheapest.
        let at = self
            .members
            .iter()
            .rposition(|(member, _)| member == name)?;
        let (_, value) = self.members.remove(at);
        if self.members[..at].iter().any(|(member, _)| member == name) {
            self.members.retain(|(member, _)| member != name);
        }
        Some(value).filter(|value| value.get() != "null")
    }

    /// Takes a member that has to be there.
    pub(crate) fn require(&mut self, name: &'static str) -> Result<&'a RawValue, Fault> {
        self.take(name).ok_or_else(|| Fault {
            member: name,
            message: "missing".to_owned(),
        })
    }

    /// Takes a member that has to be a string.
    pub(crate) fn require_string(&mut self, name: &'static str) -> Result<String, Fault> {
        string(name, self.require(name)?)
    }

    /// Takes a member that may be a string.
    pub(crate) fn string(&mut self, name: &'static str) -> Result<Option<String>, Fault> {
        self.take(name).map(|value| string(name, value)).transpose()
    }

    /// Takes a member that has to be an object.
    pub(crate) fn require_object(&mut self, name: &'static str) -> Result<Box<RawValue>, Fault> {
        object(name, self.require(name)?)
    }

    /// Takes a member that may be an object.
    pub(crate) fn object(&mut self, name: &'static str) -> Result<Option<Box<RawValue>>, Fault> {
        self.take(name).map(|value| object(name, value)).transpose()
    }

    /// What was not taken.
    pub(crate) fn rest(self) -> Vec<(String, Box<RawValue>)> {
        let members = self.members.into_iter();
        let mut rest: Vec<_> = members
            .map(|(name, value)| (name.into_owned(), value.to_owned()))
            .collect();
        // It may have taken over the room of the members that were taken out.
        rest.shrink_to_fit();
        rest
    }

    /// All members.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.members.iter().map(|(name, value)| (&**name, *value))
    }
}

fn string(name: &'static str, value: &RawValue) -> Result<String, Fault> {
    serde_json::from_str(value.get()).map_err(|_| unexpected(name, "a string", value))
}

fn object(name: &'static str, value: &RawValue) -> Result<Box<RawValue>, Fault> {
    if value.get().starts_with('{') {
        Ok(value.to_owned())
    } else {
        Err(unexpected(name, "an object", value))
    }
}

fn unexpected(member: &'static str, expected: &str, value: &RawValue) -> Fault {
    Fault {
        member,
        message: format!("expected {expected}, found {}", kind_of(value.get())),
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(8);
                while let Some(Name(name)) = map.next_key()? {
                    members.push((name, map.next_value()?));
                }
                Ok(Object { members })
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}

#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);
