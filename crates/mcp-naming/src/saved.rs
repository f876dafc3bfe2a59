//! The form in which a table is kept, and the checks on one that comes back.
//!
//! A kept name need only have a name's form: one that an earlier version gave must outlive a change
//! of the scheme.

use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;

use crate::exposed::ExposedName;
use crate::pair::RawPair;
use crate::table::NameTable;

/// What is written: server, raw tool name and exposed name of each tool.
#[derive(Serialize, Deserialize)]
#[serde(rename = "NameTable")]
pub(crate) struct Saved<Row> {
    names: Vec<Row>,
}

/// Why a kept table cannot be one that this crate wrote.
#[derive(Debug, Error)]
pub(crate) enum SavedError {
    #[error("{0:?} cannot be an exposed name")]
    NotAName(String),
    #[error("server {server:?} has a tool without a name, exposed as {name:?}")]
    EmptyToolName { server: String, name: String },
    #[error("tool {tool:?} of server {server:?} has two names")]
    TwoNames { server: String, tool: String },
    #[error("the name {0:?} is given to two tools")]
    TwoTools(String),
}

impl Serialize for NameTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Sorted, so that the same names give the same bytes in whatever order they came.
        let mut names: Vec<_> = self.iter().collect();
        names.sort_unstable();
        Saved { names }.serialize(serializer)
    }
}

impl TryFrom<Saved<(String, String, String)>> for NameTable {
    type Error = SavedError;

    fn try_from(saved: Saved<(String, String, String)>) -> Result<Self, SavedError> {
        let mut table = Self::new();
        for (server, tool, name) in saved.names {
            let Some(exposed) = ExposedName::parse(&name) else {
                return Err(SavedError::NotAName(name));
            };
            if tool.is_empty() {
                return Err(SavedError::EmptyToolName { server, name });
            }
            let (position, first) = table.pairs.insert_full(RawPair::new(&server, &tool));
            if !first {
                return Err(SavedError::TwoNames { server, tool });
            }
            if table.positions.insert(exposed.clone(), position).is_some() {
                return Err(SavedError::TwoTools(name));
            }
            table.exposed.push(exposed);
        }
        Ok(table)
    }
}
