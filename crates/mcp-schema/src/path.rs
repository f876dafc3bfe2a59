//! Places inside a JSON document, and how they are written for a reader: `a.b[2]["odd key"]`.

use std::fmt::Write as _;

use crate::words::quoted;

/// One step down into a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// Into an object's member.
    Member(Box<str>),
    /// Into an array's item.
    Item(usize),
}

impl Step {
    pub(crate) fn member(name: &str) -> Self {
        Self::Member(name.into())
    }
}

/// Writes a path; the root is the empty string.
pub(crate) fn written<'a>(steps: impl IntoIterator<Item = &'a Step>) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Item(index) => {
                let _ = write!(path, "[{index}]");
            }
            Step::Member(name) if is_plain(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Step::Member(name) => {
                let _ = write!(path, "[{}]", quoted(name));
            }
        }
    }
    path
}

/// The steps of a JSON pointer. What is an index is told from the document that it points into,
/// since a member may be named `0`.
pub(crate) fn steps(pointer: &str, document: &serde_json::Value) -> Vec<Step> {
    let mut place = Some(document);
    pointer
        .split('/')
        .skip(1)
        .map(|segment| {
            let name = segment.replace("~1", "/").replace("~0", "~");
            let index = place
                .and_then(|value| value.as_array())
                .and(name.parse().ok());
            place = match index {
                Some(index) => place.and_then(|value| value.get::<usize>(index)),
                None => place.and_then(|value| value.get(&name)),
            };
            index.map_or_else(|| Step::Member(name.into()), Step::Item)
        })
        .collect()
}

/// A pointer into a schema, written like a path into an instance.
pub(crate) fn schema_place(pointer: &str, schema: &serde_json::Value) -> String {
    written(&steps(pointer, schema))
}

/// Appends a member to a JSON pointer.
pub(crate) fn push_pointer(pointer: &mut String, name: &str) {
    pointer.push('/');
    for character in name.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@');
    !name.is_empty() && name.len() <= 64 && name.chars().all(plain)
}
