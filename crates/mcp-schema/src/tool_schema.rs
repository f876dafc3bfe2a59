//! One schema of a tool: the server's text, and everything that is derived from it on demand.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use serde_json::value::RawValue;

use crate::arguments::{self, Arguments};
use crate::check::{self, Checked};
use crate::compile::{Compiled, Summary, compiled};
use crate::coverage::{Coverage, Note, Withheld};
use crate::violation::Violations;
use crate::withheld;

/// The input or output schema of a tool, as its server sent it.
///
/// Making one costs nothing: the schema is compiled when it is first used, and the compiled form is
/// shared by all schemas of the same bytes. Clones share everything.
///
/// ```
/// use mcp_schema::ToolSchema;
/// use serde_json::value::RawValue;
///
/// let text = r#"{"type":"object","properties":{"query":{"type":"string"},"after":{"type":"string"}},
///     "required":["query"],"additionalProperties":false}"#;
/// let schema = ToolSchema::new(RawValue::from_string(text.to_owned())?);
/// assert_eq!(schema.raw().get(), text);
///
/// let arguments = schema.prepare(Some(r#"{"query": "rust", "after": null}"#)).unwrap();
/// assert_eq!(arguments.get().get(), r#"{"query": "rust"}"#);
///
/// let violations = schema.prepare(Some(r#"{"quer": "rust"}"#)).unwrap_err();
/// assert_eq!(
///     violations.to_string(),
///     "unknown argument \"quer\" (did you mean \"query\"?)\nmissing required argument \"query\"",
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct ToolSchema {
    inner: Arc<Inner>,
}

struct Inner {
    text: Box<RawValue>,
    withheld: OnceLock<Option<Withheld>>,
    summary: OnceLock<Arc<Summary>>,
    /// The shared compiled form, which the cache may let go meanwhile.
    compiled: Mutex<Weak<Compiled>>,
}

impl ToolSchema {
    /// Takes a schema's text. Never fails and compiles nothing: whatever is wrong with the schema
    /// shows in [`coverage`](Self::coverage) and [`notes`](Self::notes).
    pub fn new(text: Box<RawValue>) -> Self {
        let inner = Inner {
            text,
            withheld: OnceLock::new(),
            summary: OnceLock::new(),
            compiled: Mutex::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The schema byte for byte as it was given: what goes to the model's provider.
    pub fn raw(&self) -> &RawValue {
        &self.inner.text
    }

    /// Why a tool with this input schema cannot be offered: its root can never be an object.
    /// Compiles nothing.
    pub fn withheld(&self) -> Option<&Withheld> {
        self.inner
            .withheld
            .get_or_init(|| withheld::judge(self.raw().get()))
            .as_ref()
    }

    /// How much of the schema is checked.
    pub fn coverage(&self) -> Coverage {
        self.summary().coverage
    }

    /// What a person should know about the schema; where the coverage is not full, why.
    pub fn notes(&self) -> &[Note] {
        &self.summary().notes
    }

    /// Makes a model's arguments ready to be sent: leaves out the nulls that stand for "not given"
    /// and checks the rest. Absent, null and empty arguments are `{}`; nothing is ever coerced, and
    /// every byte that is not part of a dropped null stays as it was written.
    pub fn prepare(&self, arguments: Option<&str>) -> Result<Arguments, Violations> {
        arguments::prepare(self.compiled().checker(), arguments)
    }

    /// Checks any value, such as a tool's structured result against its output schema.
    pub fn check(&self, value: &RawValue) -> Result<Checked, Violations> {
        check::check(self.compiled().checker(), value)
    }

    fn summary(&self) -> &Summary {
        self.inner.summary.get_or_init(|| self.compiled().summary())
    }

    fn compiled(&self) -> Arc<Compiled> {
        let mut kept = self
            .inner
            .compiled
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = kept.upgrade() {
            compiled.touch();
            return compiled;
        }
        let compiled = compiled(self.raw().get());
        *kept = Arc::downgrade(&compiled);
        compiled
    }
}

impl fmt::Debug for ToolSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ToolSchema")
            .field(&self.raw().get())
            .finish()
    }
}
