//! How much of a schema is checked, and what a person should know about it.

use std::fmt;

/// How much of a schema is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Coverage {
    /// Every keyword that asserts something.
    Full,
    /// All but some keywords; the notes name them.
    Partial,
    /// Nothing; a note says why.
    #[default]
    None,
}

impl Coverage {
    /// `full`, `partial` or `none`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Partial => "partial",
            Self::None => "none",
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something that a person should know about a schema or a check. One line.
///
/// ```
/// # use mcp_schema::{Coverage, ToolSchema};
/// # use serde_json::value::RawValue;
/// let text = r#"{"type":"object","properties":{"id":{"type":"string","pattern":"(unclosed"}}}"#;
/// let schema = ToolSchema::new(RawValue::from_string(text.to_owned())?);
/// assert_eq!(schema.coverage(), Coverage::Partial);
/// assert_eq!(schema.notes()[0].path(), "properties.id.pattern");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    path: String,
    message: String,
}

impl Note {
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
        }
    }

    /// The place in the schema, or in the instance for a note on a check; empty for its root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What there is to know.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

/// Why a tool cannot be offered: its input schema can never be that of an object, and model
/// providers refuse the whole request over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withheld {
    pub(crate) reason: String,
}

impl fmt::Display for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}
