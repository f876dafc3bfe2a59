//! A set of scenarios with the artifacts that belong to them.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{ScenarioName, embedded};
use crate::shell::word;

/// Scenarios and their artifacts.
///
/// ```
/// use mcp_harness::library::Library;
///
/// let library = Library::embedded();
/// assert!(!library.scenarios()?.is_empty());
/// # Ok::<(), mcp_harness::library::LibraryError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Library {
    place: Place,
    /// Where messages name files from.
    root: PathBuf,
}

/// How the file of a scenario ends.
pub(super) const SCENARIO: &str = ".json5";
/// How the file of an artifact ends.
pub(super) const ARTIFACT: &str = ".json";

#[derive(Debug, Clone)]
pub(super) enum Place {
    Embedded,
    Folders {
        scenarios: PathBuf,
        artifacts: PathBuf,
    },
}

/// A scenario file as it was found.
#[derive(Debug, Clone)]
pub struct ScenarioSource {
    /// Its name as a trial.
    pub name: ScenarioName,
    /// The file, as problems name it.
    pub file: String,
    /// Its bytes.
    pub text: Vec<u8>,
}

/// Why a library could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// A folder or file could not be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// An artifact could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The artifact.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is no scenario at all.
    #[error("there is no scenario in {}: looked for {pattern}{hint}", folder.display())]
    NoScenario {
        /// The folder of the scenarios.
        folder: PathBuf,
        /// Where scenarios lie in it: `<folder>/<suite>/NAME.json5`.
        pattern: String,
        /// What was meant, perhaps, with what leads to it; empty where nothing is known.
        hint: String,
    },
    /// The artifacts are part of the command.
    #[error(
        "the artifacts of the built-in scenarios cannot be written: run this in a clone of the repository, \
         or name your own folders with --scenarios DIR --artifacts DIR"
    )]
    BuiltIn,
}

impl Library {
    /// The scenarios and artifacts that were built into this command.
    pub fn embedded() -> Library {
        Library {
            place: Place::Embedded,
            root: PathBuf::new(),
        }
    }

    /// Scenarios and artifacts in folders, each with a folder a suite.
    pub fn folders(scenarios: impl Into<PathBuf>, artifacts: impl Into<PathBuf>) -> Library {
        let place = Place::Folders {
            scenarios: scenarios.into(),
            artifacts: artifacts.into(),
        };
        Library {
            place,
            root: PathBuf::new(),
        }
    }

    /// The clone of this repository around `directory` if there is one, else the built-in scenarios.
    pub fn around(directory: &Path) -> Library {
        directory
            .ancestors()
            .find(|folder| {
                folder
                    .join("fixtures/scenarios/scenario.schema.json")
                    .is_file()
            })
            .map_or_else(Library::embedded, |root| Library {
                root: root.to_owned(),
                ..Library::folders(root.join("fixtures/scenarios"), root.join("artifacts"))
            })
    }

    /// All scenarios, sorted by name.
    pub fn scenarios(&self) -> Result<Vec<ScenarioSource>, LibraryError> {
        match &self.place {
            Place::Embedded => Ok(embedded::SCENARIOS
                .iter()
                .filter_map(|(path, text)| {
                    Some(ScenarioSource {
                        name: name_of(path, SCENARIO)?,
                        file: format!("fixtures/scenarios/{path}"),
                        text: text.as_bytes().to_vec(),
                    })
                })
                .collect()),
            Place::Folders { scenarios, .. } => {
                let mut found = Vec::new();
                for path in files_of_suites(scenarios)? {
                    let file = scenarios.join(&path);
                    if let Some(name) = name_of(&path, SCENARIO) {
                        let text = fs::read(&file).map_err(|source| read_error(&file, source))?;
                        found.push(ScenarioSource {
                            name,
                            file: self.shown(&file),
                            text,
                        });
                    }
                }
                Ok(found)
            }
        }
    }

    /// The accepted artifact of a scenario, if there is one.
    pub fn artifact(&self, name: &ScenarioName) -> Result<Option<String>, LibraryError> {
        match &self.place {
            Place::Embedded => Ok(embedded::ARTIFACTS
                .iter()
                .find(|(path, _)| name_of(path, ARTIFACT).as_ref() == Some(name))
                .map(|(_, text)| (*text).to_owned())),
            Place::Folders { .. } => {
                let path = self.artifact_path(name);
                match fs::read_to_string(&path) {
                    Ok(text) => Ok(Some(text)),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                    Err(source) => Err(read_error(&path, source)),
                }
            }
        }
    }

    /// Whether artifacts can be accepted: the built-in ones cannot.
    pub fn writable(&self) -> Result<(), LibraryError> {
        match &self.place {
            Place::Embedded => Err(LibraryError::BuiltIn),
            Place::Folders { .. } => Ok(()),
        }
    }

    /// Makes `text` the accepted artifact of a scenario.
    pub fn accept(&self, name: &ScenarioName, text: &str) -> Result<(), LibraryError> {
        self.writable()?;
        let path = self.artifact_path(name);
        let written = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, text));
        written.map_err(|source| LibraryError::Write { path, source })
    }

    /// The artifact's file, as messages name it.
    pub fn artifact_file(&self, name: &ScenarioName) -> String {
        self.shown(&self.artifact_path(name))
    }

    /// The options that make another run of the command use this library.
    pub fn options(&self, current: &Path) -> String {
        match &self.place {
            Place::Folders {
                scenarios,
                artifacts,
            } if !matches!(&Library::around(current).place,
                    Place::Folders { scenarios: found, .. } if found == scenarios) =>
            {
                format!(
                    " --scenarios {} --artifacts {}",
                    word(&scenarios.display().to_string()),
                    word(&artifacts.display().to_string())
                )
            }
            _ => String::new(),
        }
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// A file as messages name it: as people see it from the repository's root.
    pub(super) fn shown(&self, file: &Path) -> String {
        file.strip_prefix(&self.root)
            .unwrap_or(file)
            .display()
            .to_string()
    }

    fn artifact_path(&self, name: &ScenarioName) -> PathBuf {
        let file = format!("{name}.json");
        match &self.place {
            Place::Embedded => Path::new("artifacts").join(file),
            Place::Folders { artifacts, .. } => artifacts.join(file),
        }
    }
}

pub(super) fn name_of(path: &str, extension: &str) -> Option<ScenarioName> {
    let (suite, file) = path.split_once('/')?;
    Some(ScenarioName::new(suite, file.strip_suffix(extension)?))
}

/// `<suite>/<file>` of each file in each folder of `root`, sorted. Files beside the suites are `strays`' business.
pub(super) fn files_of_suites(root: &Path) -> Result<Vec<String>, LibraryError> {
    let mut files = Vec::new();
    for suite in listing(root)?.into_iter().filter(|path| path.is_dir()) {
        for file in listing(&suite)? {
            files.push(format!("{}/{}", last_name(&suite), last_name(&file)));
        }
    }
    files.sort();
    Ok(files)
}

pub(super) fn listing(folder: &Path) -> Result<Vec<PathBuf>, LibraryError> {
    let failed = |source| read_error(folder, source);
    fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| entry.map(|entry| entry.path()).map_err(failed))
        .filter(|path| !matches!(path, Ok(path) if last_name(path).starts_with('.')))
        .collect()
}

pub(super) fn last_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn read_error(path: &Path, source: io::Error) -> LibraryError {
    LibraryError::Read {
        path: path.to_owned(),
        source,
    }
}
