//! The raw pair, by which a tool is known: never cut, changed or compared in part.

use std::hash::{Hash, Hasher};

use indexmap::Equivalent;

/// A server's key and the tool's own name, in one text; looked up by the two parts, borrowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawPair {
    text: Box<str>,
    /// Where the tool's name begins.
    tool: usize,
}

impl RawPair {
    pub(crate) fn new(server: &str, tool: &str) -> Self {
        Self {
            text: [server, tool].concat().into(),
            tool: server.len(),
        }
    }

    /// Server and tool.
    pub(crate) fn parts(&self) -> (&str, &str) {
        self.text.split_at(self.tool)
    }
}

impl Hash for RawPair {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // It must hash as the borrowed parts do.
        self.parts().hash(state);
    }
}

impl Equivalent<RawPair> for (&str, &str) {
    fn equivalent(&self, key: &RawPair) -> bool {
        *self == key.parts()
    }
}
