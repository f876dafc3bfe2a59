//! Reads the files of layers, and remembers what a file said when it was last good.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::file::{self, FileBytes};
use super::layer::Layer;
use super::load::{Config, LayerSource, Outcome};
use super::merge::merge;
use super::reading::{self, Content, EntryReading, Reading};
use crate::problem::Problem;

/// Reads layers again and again. A file that was good and is now broken or unreadable keeps its last good servers,
/// with a problem; a deleted or emptied file removes them.
///
/// ```no_run
/// use mcp_config::{ConfigReader, Layer};
///
/// let layers = [Layer::user("/home/demo/.codework/mcp.json"), Layer::project("/work/demo/.codework/mcp.json")];
/// let mut reader = ConfigReader::new();
/// let before = reader.load(&layers);
/// // … the user edits a file …
/// let after = reader.load(&layers);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ConfigReader {
    files: HashMap<(String, PathBuf), Remembered>,
}

/// What a file said last.
#[derive(Clone, Debug, Default)]
struct Remembered {
    /// The last text that was read, and what it said, so that an unchanged file is not taken apart again.
    last: Option<([u8; 32], Arc<Reading>)>,
    good: Option<Arc<Vec<EntryReading>>>,
}

/// What a layer contributes now.
pub(super) struct LayerReading {
    pub(super) source: LayerSource,
    pub(super) entries: Arc<Vec<EntryReading>>,
    pub(super) problems: Vec<Problem>,
}

impl ConfigReader {
    /// A reader that has read nothing yet.
    pub fn new() -> Self {
        ConfigReader::default()
    }

    /// Reads the files of all layers and merges them, a later layer over an earlier one.
    pub fn load(&mut self, layers: &[Layer]) -> Config {
        let readings = layers.iter().map(|layer| self.read(layer)).collect();
        merge(layers, readings)
    }

    fn read(&mut self, layer: &Layer) -> LayerReading {
        let key = (layer.name().to_owned(), layer.file().to_owned());
        let remembered = self.files.entry(key).or_default();
        match file::read(layer.file()) {
            FileBytes::Absent => {
                *remembered = Remembered::default();
                let problems = if layer.is_required() {
                    vec![missing(layer)]
                } else {
                    Vec::new()
                };
                gone(layer, Outcome::Absent, problems)
            }
            FileBytes::Unreadable(problem) => {
                remembered.last = None;
                keep(layer, remembered, Outcome::Unreadable, vec![problem])
            }
            FileBytes::Read(bytes) => remembered.take(layer, &bytes),
        }
    }
}

impl Remembered {
    fn take(&mut self, layer: &Layer, bytes: &[u8]) -> LayerReading {
        let reading = self.reading(layer, bytes);
        let problems = reading.problems.clone();
        match &reading.content {
            Content::Empty => {
                self.good = None;
                gone(layer, Outcome::Empty, problems)
            }
            Content::Broken => keep(layer, self, Outcome::Broken, problems),
            Content::Entries(entries) => {
                let entries = Arc::new(entries.clone());
                self.good = Some(Arc::clone(&entries));
                let source = LayerSource::new(layer, Outcome::Loaded, false);
                LayerReading {
                    source,
                    entries,
                    problems,
                }
            }
        }
    }

    fn reading(&mut self, layer: &Layer, bytes: &[u8]) -> Arc<Reading> {
        let digest: [u8; 32] = Sha256::digest(bytes).into();
        if let Some((last, reading)) = &self.last
            && *last == digest
        {
            return Arc::clone(reading);
        }
        // Approvals are bound to the place of the file; a link to it is the same place.
        let place = layer
            .file()
            .canonicalize()
            .unwrap_or_else(|_| layer.file().to_owned());
        let reading = reading::read(layer.shared_name(), layer.file(), &place, bytes);
        let reading = Arc::new(reading);
        self.last = Some((digest, Arc::clone(&reading)));
        reading
    }
}

fn gone(layer: &Layer, outcome: Outcome, problems: Vec<Problem>) -> LayerReading {
    let source = LayerSource::new(layer, outcome, false);
    LayerReading {
        source,
        entries: Arc::default(),
        problems,
    }
}

fn keep(
    layer: &Layer,
    remembered: &Remembered,
    outcome: Outcome,
    mut problems: Vec<Problem>,
) -> LayerReading {
    let source = LayerSource::new(layer, outcome, remembered.good.is_some());
    let entries = remembered.good.clone().unwrap_or_default();
    if remembered.good.is_some() {
        let message = format!(
            "the {} servers that this file had before stay in use",
            entries.len()
        );
        let help = "mend the file, or delete it to remove them";
        problems.push(
            Problem::warning(message)
                .in_file(layer.file())
                .with_help(help),
        );
    }
    LayerReading {
        source,
        entries,
        problems,
    }
}

fn missing(layer: &Layer) -> Problem {
    Problem::error("the file does not exist")
        .in_file(layer.file())
        .with_help("check the path, or create the file with { \"mcpServers\": {} }")
}
