//! Why a name is what it is, for a person who asks. Nothing is decided by it.

use crate::scheme::Plain;
use crate::table::NameTable;

/// How an exposed name came from its raw pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Derivation {
    /// It is `mcp__<server>__<tool>`, with nothing changed.
    Verbatim,
    /// Characters that names cannot hold have become `_`.
    Sanitised,
    /// It was cut to the limit, and a suffix of the pair's digest tells it apart.
    Cut,
    /// No letter or digit is left of the server or of the tool, so that a suffix tells it apart.
    Unreadable,
    /// Another pair spells the same, so that a suffix tells it apart.
    Clash,
}

impl NameTable {
    /// How the name of a tool came about, if it was ever named.
    ///
    /// ```
    /// use mcp_naming::{Derivation, NameTable};
    ///
    /// let mut table = NameTable::new();
    /// table.assign([("s", "read.file"), ("s", "read_file"), ("s", "搜索")]);
    /// assert_eq!(table.derivation("s", "read_file"), Some(Derivation::Verbatim));
    /// assert_eq!(table.derivation("s", "read.file"), Some(Derivation::Clash));
    /// assert_eq!(table.derivation("s", "搜索"), Some(Derivation::Unreadable));
    /// ```
    pub fn derivation(&self, server: &str, tool: &str) -> Option<Derivation> {
        let given = self.get(server, tool)?;
        let plain = Plain::of(server, tool);
        let readable = |raw: &str| raw.bytes().any(|byte| byte.is_ascii_alphanumeric());
        Some(match plain.name() {
            Some(name) if name != given.as_str() => Derivation::Clash,
            Some(_) if plain.clean_name().is_some() => Derivation::Verbatim,
            Some(_) => Derivation::Sanitised,
            None if readable(server) && readable(tool) => Derivation::Cut,
            None => Derivation::Unreadable,
        })
    }
}
