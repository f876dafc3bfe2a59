//! The exposed name: a string that every model provider accepts as a tool's name.
//! It cannot be built from outside; only a table gives one out.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// The name under which a model sees one tool.
///
/// It is at most 64 bytes of `[A-Za-z0-9_]` and begins with `mcp__`. Cloning it copies no text. It
/// is looked up in its [`NameTable`](crate::NameTable), never taken apart: where server and tool
/// meet cannot be told from the text.
///
/// ```
/// let mut table = mcp_naming::NameTable::new();
/// let mut names = table.assign([("files", "read")]);
/// let name = names.remove(0)?;
/// assert_eq!(name.as_str(), "mcp__files__read");
/// assert_eq!(name.to_string(), "mcp__files__read");
/// # Ok::<(), mcp_naming::NameProblem>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExposedName(Arc<str>);

impl ExposedName {
    /// The longest name that all providers accept, in bytes.
    pub(crate) const MAX_LEN: usize = 64;
    /// What every name begins with.
    pub(crate) const PREFIX: &'static str = "mcp__";

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Takes a text as a name if it has a name's form.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let valid = text.len() <= Self::MAX_LEN
            && text.len() > Self::PREFIX.len()
            && text.starts_with(Self::PREFIX)
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        valid.then(|| Self(text.into()))
    }

    /// Wraps a text that the scheme has built, which therefore has a name's form.
    pub(crate) fn from_scheme(text: &str) -> Self {
        debug_assert!(Self::parse(text).is_some(), "the scheme built {text:?}");
        Self(text.into())
    }
}

impl fmt::Display for ExposedName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

impl AsRef<str> for ExposedName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ExposedName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Serialize for ExposedName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
