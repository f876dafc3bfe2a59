//! The path of a value in a document, as people write it.

use std::fmt::{self, Write as _};

use crate::problem::cut;

/// How many characters of a member's name are shown.
const MAX_KEY: usize = 80;

/// A path such as `mcpServers.a.args[0]`; member names that are not plain words stand in brackets, `["x y"]`.
/// It is for people: very long names are cut.
///
/// ```
/// use mcp_config::document::JsonPath;
///
/// let path = JsonPath::root().member("mcpServers").member("my server").member("args").index(0);
/// assert_eq!(path.to_string(), r#"mcpServers["my server"].args[0]"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct JsonPath(String);

impl JsonPath {
    /// The path of the whole document, which is empty.
    pub fn root() -> Self {
        JsonPath::default()
    }

    /// The path of a member of the value at this path.
    #[must_use]
    pub fn member(&self, key: &str) -> Self {
        let mut path = self.clone();
        path.push_member(key);
        path
    }

    /// The path of an item of the array at this path.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        let mut path = self.clone();
        path.push_index(index);
        path
    }

    pub(super) fn push_member(&mut self, key: &str) {
        let key = &*cut(key, MAX_KEY);
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '…');
        if !key.is_empty() && key.chars().all(plain) {
            if !self.0.is_empty() {
                self.0.push('.');
            }
            self.0.push_str(key);
        } else {
            // Writing to a String cannot fail; JSON's quoting keeps quotes and control characters apart.
            let _ = write!(self.0, "[{}]", serde_json::Value::from(key));
        }
    }

    pub(super) fn push_index(&mut self, index: usize) {
        let _ = write!(self.0, "[{index}]");
    }

    /// The path as text; empty for the whole document.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
