//! What is wrong with an instance, in words that a model can act on.

use std::fmt;

use crate::coverage::Note;
use crate::limits::SHOWN_VIOLATIONS;

/// One thing that is wrong, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    path: String,
    message: String,
}

impl Violation {
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
        }
    }

    /// The place in the instance, such as `filter.tags[2]`; empty for its root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong there.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

/// The violations that were put in words, the most useful first, and how many more there are.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) violations: Vec<Violation>,
    pub(crate) more: usize,
}

impl Told {
    pub(crate) fn is_empty(&self) -> bool {
        self.violations.is_empty()
    }
}

impl From<Vec<Violation>> for Told {
    fn from(violations: Vec<Violation>) -> Self {
        Self {
            violations,
            more: 0,
        }
    }
}

/// All that is wrong with an instance: the most useful first, at most five told one by one.
///
/// ```
/// # use mcp_schema::ToolSchema;
/// # use serde_json::value::RawValue;
/// let text = r#"{"type":"object","properties":{"limit":{"type":"integer"}}}"#;
/// let schema = ToolSchema::new(RawValue::from_string(text.to_owned())?);
/// let violations = schema.prepare(Some(r#"{"limit":"ten"}"#)).unwrap_err();
/// assert_eq!(violations.to_string(), r#"limit: must be an integer, got "ten""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    shown: Vec<Violation>,
    more: usize,
    notes: Vec<Note>,
}

impl Violations {
    pub(crate) fn new(told: impl Into<Told>, notes: Vec<Note>) -> Self {
        let Told {
            violations: mut shown,
            more,
        } = told.into();
        let more = more + shown.len().saturating_sub(SHOWN_VIOLATIONS);
        shown.truncate(SHOWN_VIOLATIONS);
        Self { shown, more, notes }
    }

    pub(crate) fn one(violation: Violation) -> Self {
        Self::new(vec![violation], Vec::new())
    }

    /// Those that are told, the most useful first.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.shown.iter()
    }

    /// How many there are, those that are not told included.
    #[expect(clippy::len_without_is_empty, reason = "there is always at least one")]
    pub fn len(&self) -> usize {
        self.shown.len() + self.more
    }

    /// How many are not told.
    pub fn more(&self) -> usize {
        self.more
    }

    /// What a person should know about the check itself.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
}

impl<'a> IntoIterator for &'a Violations {
    type Item = &'a Violation;
    type IntoIter = std::slice::Iter<'a, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.shown.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            violation.fmt(f)?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for Violations {}
