//! One source of entries.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fingerprint::Fingerprint;

/// Whether the entries of a layer have an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trust {
    /// All entries have an effect.
    Trusted,
    /// Only approved entries have an effect; the others are reported as awaiting approval.
    Untrusted,
}

/// A file and the place of its entries among the layers; a later layer wins.
///
/// ```
/// use mcp_config::{Layer, Trust};
///
/// let user = Layer::user("/home/demo/.codework/mcp.json");
/// let project = Layer::project("/srv/demo/.codework/mcp.json");
/// assert_eq!((user.name(), user.trust()), ("user", Trust::Trusted));
/// assert_eq!((project.name(), project.trust()), ("project", Trust::Untrusted));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    name: Arc<str>,
    file: PathBuf,
    trust: Trust,
    approved: BTreeSet<Fingerprint>,
    required: bool,
}

impl Layer {
    /// A trusted layer of any name.
    pub fn new(name: &str, file: impl Into<PathBuf>) -> Self {
        Layer {
            name: name.into(),
            file: file.into(),
            trust: Trust::Trusted,
            approved: BTreeSet::new(),
            required: false,
        }
    }

    /// The user's layer, which is trusted.
    pub fn user(file: impl Into<PathBuf>) -> Self {
        Layer::new("user", file)
    }

    /// The project's layer. Its file came with the project and can run commands, so it is not trusted until the host
    /// says so.
    pub fn project(file: impl Into<PathBuf>) -> Self {
        Layer::new("project", file).with_trust(Trust::Untrusted)
    }

    /// Says whether the layer is trusted.
    #[must_use]
    pub fn with_trust(mut self, trust: Trust) -> Self {
        self.trust = trust;
        self
    }

    /// Lets single entries of an untrusted layer have an effect: those that a person approved earlier.
    #[must_use]
    pub fn approve(mut self, entries: impl IntoIterator<Item = Fingerprint>) -> Self {
        self.approved.extend(entries);
        self
    }

    /// Makes a missing file an error: for a file that a person named.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The name of the layer.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Whether it is trusted.
    pub fn trust(&self) -> Trust {
        self.trust
    }

    /// Whether a missing file is an error.
    pub fn is_required(&self) -> bool {
        self.required
    }

    pub(super) fn shared_name(&self) -> &Arc<str> {
        &self.name
    }

    /// Whether an entry of this layer has an effect.
    pub(super) fn admits(&self, entry: &Fingerprint) -> bool {
        self.trust == Trust::Trusted || self.approved.contains(entry)
    }
}
