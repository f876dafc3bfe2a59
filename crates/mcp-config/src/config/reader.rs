//! Reads the files of layers, and remembers what a file said when it was last good.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::file::{self, FileBytes};
use super::layer::Layer;
use super::load::{Config, LayerSource, Outcome};
use super::merge::merge;
use super::reading::{self, Content, EntryReading};
use crate::problem::Problem;

/// Reads layers again and again. A file that was good and is now broken or unreadable keeps its last good servers,
/// with a problem; a deleted or emptied file removes them.
///
/// ```no_run
/// use mcp_config::{ConfigReader, Layer};
///
/// let layers = [Layer::user("/home/demo/.codework/mcp.json"), Layer::project("/srv/demo/.codework/mcp.json")];
/// let mut reader = ConfigReader::new();
/// let before = reader.load(&layers);
/// // … the user edits a file …
/// let after = reader.load(&layers);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ConfigReader {
    files: HashMap<(String, PathBuf), Remembered>,
    /// The last outcome, for the same layers with unchanged files.
    last: Option<(Vec<Layer>, Config)>,
}

/// What a file said last.
#[derive(Clone, Default)]
struct Remembered {
    seen: Seen,
    good: Option<Arc<Vec<EntryReading>>>,
}

/// What was there when a file was read last.
#[derive(Clone, Default, PartialEq, Eq)]
enum Seen {
    #[default]
    Unknown,
    Absent,
    Text(Vec<u8>),
}

/// Texts may hold credentials.
impl fmt::Debug for Remembered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remembered").finish_non_exhaustive()
    }
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

    /// Reads the files of all layers and merges them, a later layer over an earlier one. Where no file has changed, the
    /// last outcome is returned again. A layer whose file is an earlier one's is left out, as the project's is where
    /// somebody works in the home directory.
    pub fn load(&mut self, layers: &[Layer]) -> Config {
        let layers = &*distinct(layers);
        let files: Vec<FileBytes> = layers
            .iter()
            .map(|layer| file::read(layer.file()))
            .collect();
        if let Some((last, config)) = &self.last
            && last == layers
            && layers
                .iter()
                .zip(&files)
                .all(|(layer, file)| self.is_unchanged(layer, file))
        {
            return config.clone();
        }
        let readings = layers
            .iter()
            .zip(files)
            .map(|(layer, file)| self.read(layer, file));
        let config = merge(layers, readings.collect());
        self.last = Some((layers.to_vec(), config.clone()));
        config
    }

    fn is_unchanged(&self, layer: &Layer, file: &FileBytes) -> bool {
        let seen = self
            .files
            .get(&key(layer))
            .map(|remembered| &remembered.seen);
        match (seen, file) {
            (Some(Seen::Absent), FileBytes::Absent) => true,
            (Some(Seen::Text(before)), FileBytes::Read(now)) => before == now,
            _ => false,
        }
    }

    fn read(&mut self, layer: &Layer, file: FileBytes) -> LayerReading {
        let remembered = self.files.entry(key(layer)).or_default();
        match file {
            FileBytes::Absent => {
                *remembered = Remembered {
                    seen: Seen::Absent,
                    good: None,
                };
                let problems = if layer.is_required() {
                    vec![missing(layer)]
                } else {
                    Vec::new()
                };
                gone(layer, Outcome::Absent, problems)
            }
            FileBytes::Unreadable(problem) => {
                remembered.seen = Seen::Unknown;
                keep(layer, remembered, Outcome::Unreadable, vec![problem])
            }
            FileBytes::Read(bytes) => {
                let reading = remembered.take(layer, &bytes);
                remembered.seen = Seen::Text(bytes);
                reading
            }
        }
    }
}

/// The layers whose files are not those of earlier ones; an earlier layer's trust counts.
fn distinct(layers: &[Layer]) -> Cow<'_, [Layer]> {
    let places: Vec<PathBuf> = layers.iter().map(place).collect();
    let is_first = |index: usize| !places[..index].contains(&places[index]);
    if (1..layers.len()).all(is_first) {
        return Cow::Borrowed(layers);
    }
    let first = layers
        .iter()
        .enumerate()
        .filter(|(index, _)| is_first(*index));
    first.map(|(_, layer)| layer.clone()).collect()
}

/// What the file of a layer is known by; a link to it is the same place.
fn place(layer: &Layer) -> PathBuf {
    let file = layer.file();
    file.canonicalize().unwrap_or_else(|_| file.to_owned())
}

fn key(layer: &Layer) -> (String, PathBuf) {
    (layer.name().to_owned(), layer.file().to_owned())
}

impl Remembered {
    fn take(&mut self, layer: &Layer, bytes: &[u8]) -> LayerReading {
        // Approvals are bound to the place of the file.
        let reading = reading::read(layer.shared_name(), layer.file(), &place(layer), bytes);
        match reading.content {
            Content::Empty => {
                self.good = None;
                gone(layer, Outcome::Empty, reading.problems)
            }
            Content::Broken => keep(layer, self, Outcome::Broken, reading.problems),
            Content::Entries(entries) => {
                let entries = Arc::new(entries);
                self.good = Some(Arc::clone(&entries));
                let source = LayerSource::new(layer, Outcome::Loaded, false);
                LayerReading {
                    source,
                    entries,
                    problems: reading.problems,
                }
            }
        }
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
        let (message, help) = match entries.len() {
            1 => (
                "the server that this file had before stays in use".to_owned(),
                "mend the file, or delete it to remove that server",
            ),
            count => (
                format!("the {count} servers that this file had before stay in use"),
                "mend the file, or delete it to remove them",
            ),
        };
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
