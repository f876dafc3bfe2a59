//! The elements of an array, without a list of them.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Gives the elements of a JSON array one by one. A list of them would cost sixteen bytes for an element of two, so
/// that a message of the largest size could ask for many times its own.
pub(crate) fn each_element<'a>(
    array: &'a str,
    take: impl FnMut(&'a RawValue),
) -> Result<(), serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(array);
    reader.deserialize_seq(Elements(take, PhantomData))?;
    reader.end()
}

struct Elements<'a, F>(F, PhantomData<&'a RawValue>);

impl<'a, F: FnMut(&'a RawValue)> Visitor<'a> for Elements<'a, F> {
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
