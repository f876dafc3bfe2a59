//! The frozen catalogue and its revision.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::definition::ToolDefinition;
use crate::plugin::Candidate;

/// All tools of an exchange in canonical order, which is that of their exposed names.
pub(crate) struct Catalogue {
    definitions: Vec<ToolDefinition>,
    candidates: Vec<Candidate>,
    by_name: HashMap<Arc<str>, usize>,
    /// Tools that the servers have and plugins took away.
    taken_away: BTreeSet<Arc<str>>,
    revision: String,
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalogue")
            .field("tools", &self.definitions.len())
            .finish_non_exhaustive()
    }
}

impl Catalogue {
    /// The map's order is the canonical one.
    pub(crate) fn freeze(tools: BTreeMap<Arc<str>, Candidate>) -> Catalogue {
        let definitions: Vec<ToolDefinition> = tools
            .iter()
            .map(|(name, candidate)| ToolDefinition::new(Arc::clone(name), candidate))
            .collect();
        let by_name = tools.keys().cloned().zip(0..).collect();
        Catalogue {
            revision: revision(&definitions),
            definitions,
            candidates: tools.into_values().collect(),
            by_name,
            taken_away: BTreeSet::new(),
        }
    }

    /// The same, knowing what plugins took away of `offered`.
    pub(crate) fn without(mut self, offered: impl Iterator<Item = Arc<str>>) -> Catalogue {
        self.taken_away = offered
            .filter(|name| !self.by_name.contains_key(name))
            .collect();
        self
    }

    pub(crate) fn took_away(&self, name: &str) -> bool {
        self.taken_away.contains(name)
    }

    pub(crate) fn definitions(&self) -> &[ToolDefinition] {
        &self.definitions
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Candidate> {
        self.by_name.get(name).map(|at| &self.candidates[*at])
    }

    pub(crate) fn revision(&self) -> &str {
        &self.revision
    }
}

/// SHA-256 over the names and the digests behind them: it changes exactly when what the model sees
/// does.
fn revision(definitions: &[ToolDefinition]) -> String {
    let mut hash = Sha256::new();
    for definition in definitions {
        hash.update((definition.name().len() as u64).to_be_bytes());
        hash.update(definition.name());
        hash.update(definition.digest());
    }
    hash.finalize()
        .iter()
        .fold(String::with_capacity(64), |mut hex, byte| {
            // Writing to a string does not fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}
