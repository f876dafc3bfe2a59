//! Files that lie where nobody looks: in no suite, in a folder too deep, or without what they belong to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::files::{
    ARTIFACT, Library, LibraryError, Place, SCENARIO, files_of_suites, last_name, listing, name_of,
};

impl Library {
    /// Files that belong to nothing: artifacts without a scenario, files in the suites' folders that are
    /// neither scenarios nor artifacts, and those of either kind that lie in no suite. Nobody would ever look
    /// at them again.
    pub fn strays(&self) -> Result<Vec<String>, LibraryError> {
        let Place::Folders {
            scenarios,
            artifacts,
        } = self.place()
        else {
            return Ok(Vec::new());
        };
        let mut strays = self.beside_suites(scenarios, SCENARIO, "a scenario")?;
        let mut names = BTreeSet::new();
        for path in files_of_suites(scenarios)? {
            let file = scenarios.join(&path);
            match name_of(&path, SCENARIO) {
                Some(name) => drop(names.insert(name)),
                None if file.is_dir() => strays.push(format!(
                    "{}: a folder in a suite, where no scenario is looked for; it belongs at {}",
                    self.shown(&file),
                    self.pattern(scenarios, SCENARIO)
                )),
                None => strays.push(format!(
                    "{}: not a scenario (those end in {SCENARIO})",
                    self.shown(&file)
                )),
            }
        }
        if artifacts.exists() {
            strays.extend(self.beside_suites(artifacts, ARTIFACT, "an artifact")?);
            for path in files_of_suites(artifacts)? {
                if name_of(&path, ARTIFACT).is_none_or(|name| !names.contains(&name)) {
                    strays.push(format!(
                        "{}: an artifact without a scenario",
                        self.shown(&artifacts.join(&path))
                    ));
                }
            }
        }
        Ok(strays)
    }

    /// Why there is nothing to play, in a library without scenarios. A folder with scenarios of its own is most
    /// likely one suite.
    pub(crate) fn no_scenario(&self) -> LibraryError {
        let (folder, direct) = match self.place() {
            Place::Embedded => (PathBuf::from("fixtures/scenarios"), Vec::new()),
            Place::Folders { scenarios, .. } => match files_at_top(scenarios, SCENARIO) {
                Ok(direct) => (scenarios.clone(), direct),
                Err(error) => return error,
            },
        };
        let hint = direct.first().map(|first| {
            let above = above(&folder);
            format!("; {first} lies directly in it, so it is one suite: name the folder above, --scenarios {above}")
        });
        LibraryError::NoScenario {
            pattern: self.pattern(&folder, SCENARIO),
            hint: hint.unwrap_or_default(),
            folder,
        }
    }

    fn beside_suites(
        &self,
        folder: &Path,
        extension: &str,
        what: &str,
    ) -> Result<Vec<String>, LibraryError> {
        let names = files_at_top(folder, extension)?;
        Ok(names
            .into_iter()
            .map(|name| {
                format!(
                    "{}: {what} in no suite; it belongs at {}",
                    self.shown(&folder.join(name)),
                    self.pattern(folder, extension)
                )
            })
            .collect())
    }

    fn pattern(&self, folder: &Path, extension: &str) -> String {
        let pattern = Path::new("<suite>").join(format!("NAME{extension}"));
        self.shown(&folder.join(pattern))
    }
}

/// The names of the files with this extension that lie directly in a folder, sorted.
fn files_at_top(folder: &Path, extension: &str) -> Result<Vec<String>, LibraryError> {
    let files = listing(folder)?.into_iter().filter(|path| path.is_file());
    let names = files.map(|path| last_name(&path));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(extension)).collect();
    names.sort();
    Ok(names)
}

/// The folder around another, as a person would write it.
fn above(folder: &Path) -> String {
    let above = match (folder.file_name(), folder.parent()) {
        (Some(_), Some(parent)) if parent.as_os_str().is_empty() => Path::new(".").to_owned(),
        (Some(_), Some(parent)) => parent.to_owned(),
        _ => folder.join(".."),
    };
    crate::shell::word(&above.display().to_string())
}
