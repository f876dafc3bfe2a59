//! The outcome of reading all layers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use super::layer::Layer;
use super::pending::PendingEntry;
use super::reader::ConfigReader;
use super::server::Server;
use crate::problem::Problem;

/// The servers of all layers, and everything that is wrong. Cloning it is cheap.
///
/// ```
/// use mcp_config::{Layer, Server, load};
/// # let directory = tempfile::tempdir()?;
/// # let file = directory.path().join("mcp.json");
/// std::fs::write(&file, r#"{ "mcpServers": { "good": { "command": "srv" }, "bad": { "args": [] } } }"#)?;
///
/// let config = load(&[Layer::user(&file)]);
/// assert!(matches!(config.get("good"), Some(Server::Ready(_))));
/// assert!(matches!(config.get("bad"), Some(Server::Failed(_))));
/// assert_eq!(config.problems()[0].path(), Some("mcpServers.bad"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    pub(super) merged: Arc<Merged>,
}

/// What a configuration holds; it is shared, because a host asks for it at each exchange.
#[derive(Debug, Default)]
pub(super) struct Merged {
    pub(super) servers: IndexMap<Arc<str>, Server>,
    pub(super) problems: Vec<Problem>,
    pub(super) sources: Vec<LayerSource>,
    pub(super) pending: Vec<PendingEntry>,
}

/// Reads layers once. To read them again and again, use a [`ConfigReader`].
pub fn load(layers: &[Layer]) -> Config {
    ConfigReader::new().load(layers)
}

impl Config {
    /// All names with what became of them, in the order of layers and files.
    pub fn servers(&self) -> impl Iterator<Item = (&str, &Server)> {
        self.merged
            .servers
            .iter()
            .map(|(name, server)| (&**name, server))
    }

    /// What became of a name.
    pub fn get(&self, name: &str) -> Option<&Server> {
        self.merged.servers.get(name)
    }

    /// Everything that is wrong, layer by layer, in the order of the files.
    pub fn problems(&self) -> &[Problem] {
        &self.merged.problems
    }

    /// Whether one of the problems is an error.
    pub fn has_errors(&self) -> bool {
        self.merged.problems.iter().any(Problem::is_error)
    }

    /// What became of each layer's file.
    pub fn sources(&self) -> &[LayerSource] {
        &self.merged.sources
    }

    /// The entries of untrusted layers that have no effect until a person approves them, also those whose name
    /// another layer has.
    pub fn pending(&self) -> &[PendingEntry] {
        &self.merged.pending
    }
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// There is no file.
    Absent,
    /// There is a file that says nothing.
    Empty,
    /// There is something that cannot be read.
    Unreadable,
    /// There is a file that is no configuration.
    Broken,
    /// There is a file with servers, of which some may have failed.
    Loaded,
}

/// What became of a layer's file.
///
/// ```
/// use mcp_config::{Layer, Outcome, load};
///
/// let config = load(&[Layer::user("/nowhere/mcp.json")]);
/// let source = &config.sources()[0];
/// assert_eq!((source.layer(), source.outcome()), ("user", Outcome::Absent));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerSource {
    layer: String,
    file: PathBuf,
    outcome: Outcome,
    kept: bool,
}

impl LayerSource {
    pub(super) fn new(layer: &Layer, outcome: Outcome, kept: bool) -> Self {
        let (layer, file) = (layer.name().to_owned(), layer.file().to_owned());
        LayerSource {
            layer,
            file,
            outcome,
            kept,
        }
    }

    /// The name of the layer.
    pub fn layer(&self) -> &str {
        &self.layer
    }

    /// Its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What became of it.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Whether the servers are those of the last good state, because the file is now broken or unreadable.
    pub fn kept_last_good(&self) -> bool {
        self.kept
    }
}
