//! The table of a session: which tool has which name, both ways.
//! How new names are chosen is the batch's; how a table is kept is in `saved`.

use std::collections::HashMap;

use indexmap::IndexSet;
use serde::Deserialize;

use crate::batch;
use crate::exposed::ExposedName;
use crate::pair::RawPair;
use crate::problem::NameProblem;
use crate::saved::Saved;

/// The exposed names of one session, looked up from either side.
///
/// A name once given stays with its tool: nothing is ever removed, so that a tool that is withdrawn
/// and returns has its name again and no other tool can have got it meanwhile. A table is saved and
/// restored through serde.
///
/// ```
/// use mcp_naming::NameTable;
///
/// let mut table = NameTable::new();
/// table.assign([("my files", "read.all"), ("git", "log")]);
/// assert_eq!(table.resolve("mcp__my_files__read_all"), Some(("my files", "read.all")));
/// assert_eq!(table.resolve("mcp__my_files__write"), None);
/// assert_eq!(table.get("git", "log").map(|name| name.as_str()), Some("mcp__git__log"));
///
/// let saved = serde_json::to_string(&table)?;
/// let resumed: NameTable = serde_json::from_str(&saved)?;
/// assert_eq!(resumed.get("git", "log"), table.get("git", "log"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Saved<(String, String, String)>")]
pub struct NameTable {
    /// What is named, in the order in which it was.
    pub(crate) pairs: IndexSet<RawPair>,
    /// The name of each pair, at the pair's position.
    pub(crate) exposed: Vec<ExposedName>,
    /// The way back: each name's position.
    pub(crate) positions: HashMap<ExposedName, usize>,
}

impl NameTable {
    /// A table in which nothing is named yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the tools of one batch, each given as server and raw tool name; the answers are in the
    /// order of the batch.
    ///
    /// A pair that has a name keeps it. The names of the others depend on the table and on what the
    /// batch holds, never on its order; so what becomes known at one time belongs in one batch.
    ///
    /// ```
    /// use mcp_naming::NameTable;
    ///
    /// let mut table = NameTable::new();
    /// let names: Vec<_> = table.assign([("s", "read.file"), ("s", "read_file")]).into_iter().flatten().collect();
    /// assert_eq!(names[0].as_str(), "mcp__s__read_file_59399518");
    /// assert_eq!(names[1].as_str(), "mcp__s__read_file");
    /// ```
    pub fn assign<'a, I>(&mut self, batch: I) -> Vec<Result<ExposedName, NameProblem>>
    where
        I: IntoIterator<Item = (&'a str, &'a str)>,
    {
        // The caller's iterator is run to its end first: if it panics, the table is as it was.
        let pairs: Vec<_> = batch.into_iter().collect();
        batch::assign(self, &pairs)
    }

    /// The name of a tool, if it was ever named.
    pub fn get(&self, server: &str, tool: &str) -> Option<&ExposedName> {
        self.exposed.get(self.pairs.get_index_of(&(server, tool))?)
    }

    /// The server and the raw tool name behind an exposed name.
    pub fn resolve(&self, exposed: &str) -> Option<(&str, &str)> {
        let position = self.positions.get(exposed)?;
        self.pairs.get_index(*position).map(RawPair::parts)
    }

    /// How many tools are named, withdrawn ones included.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether nothing is named yet.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Every named tool as server, raw tool name, exposed name; in the order in which they entered
    /// the table.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &ExposedName)> {
        self.pairs.iter().zip(&self.exposed).map(|(pair, name)| {
            let (server, tool) = pair.parts();
            (server, tool, name)
        })
    }
}
