//! The elements of an array, without a list of them.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Gives the elements of a JSON array one by one. A list of them would cost sixteen bytes for an element of two, so
/// that a message of the largest size could ask for many times its own.
pub(crate) fn each_element<'a>(
    array: &'a str,
    take: impl FnMut(&'a RawValue),
) -> Result<(), serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(array);
    reader.deserialize_seq(Each(take, PhantomData))?;
    reader.end()
}

struct Each<'a, F>(F, PhantomData<&'a RawValue>);

impl<'a, F: FnMut(&'a RawValue)> Visitor<'a> for Each<'a, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(mut self, mut elements: A) -> Result<(), A::Error> {
        while let Some(element) = elements.next_element()? {
            (self.0)(element);
        }
        Ok(())
    }
}

/// The elements of an array whose text is known to be JSON. Each is taken apart in the one pass that finds its end.
#[derive(Debug)]
pub(crate) struct Elements<'a> {
    rest: &'a str,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(array: &'a str) -> Self {
        Self {
            rest: array.strip_prefix('[').unwrap_or_default(),
        }
    }

    /// The next element, or its text where it is no `T`.
    pub(crate) fn next<T: Deserialize<'a>>(&mut self) -> Option<Result<T, &'a RawValue>> {
        self.read().map(Ok).or_else(|| self.read().map(Err))
    }

    /// Reads the next element as `T`, and passes over it if that succeeds.
    fn read<T: Deserialize<'a>>(&mut self) -> Option<T> {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter();
        let value = values.next()?.ok()?;
        let rest = self.rest[values.byte_offset()..].trim_ascii_start();
        self.rest = rest.strip_prefix(',').unwrap_or(rest);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Elements;

    #[test]
    fn an_element_of_another_kind_is_given_as_its_text() {
        let cases: [(&str, &[&str]); 2] = [
            ("[ ]", &[]),
            (
                r#"[ {"a": 1} ,{"\ud800":2},1e999 , "],",[{"a":1}],null, {"b":3} ]"#,
                &[
                    r#"{"a": 1}"#,
                    r#"!{"\ud800":2}"#,
                    "!1e999",
                    r#"!"],""#,
                    r#"![{"a":1}]"#,
                    "!null",
                    r#"{"b": 3}"#,
                ],
            ),
        ];
        for (array, expected) in cases {
            let mut elements = Elements::new(array);
            let mut read = Vec::new();
            while let Some(element) = elements.next::<BTreeMap<String, u8>>() {
                read.push(match element {
                    Ok(members) => format!("{members:?}"),
                    Err(other) => format!("!{}", other.get()),
                });
            }
            assert_eq!(read, expected, "{array}");
        }
    }
}
