//! `--report KIND=FILE`.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::exit::CommandError;
use crate::chain::chain;
use crate::report::{html, junit};
use crate::trial::Report;

/// A report that was asked for.
#[derive(Debug, Clone)]
pub(super) struct ReportFile {
    kind: Kind,
    file: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Html,
    Junit,
}

impl FromStr for ReportFile {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = "a report is written html=FILE or junit=FILE";
        let (kind, file) = text.split_once('=').ok_or(form)?;
        let kind = match kind {
            "html" => Kind::Html,
            "junit" => Kind::Junit,
            _ => return Err(form),
        };
        if file.is_empty() {
            return Err(form);
        }
        let file = PathBuf::from(file);
        Ok(ReportFile { kind, file })
    }
}

impl ReportFile {
    /// Whether it shows what happened in each scenario.
    pub(super) fn needs_records(&self) -> bool {
        self.kind == Kind::Html
    }

    /// Tells before the run that the file cannot be written after it.
    pub(super) fn check(&self, directory: &Path) -> Result<(), CommandError> {
        let file = directory.join(&self.file);
        let folder = file.parent().is_none_or(Path::is_dir);
        if folder && !file.is_dir() {
            return Ok(());
        }
        let why = if folder {
            "it is a folder"
        } else {
            "there is no such folder"
        };
        Err(CommandError::usage(format!(
            "--report {}: {why}",
            self.file.display()
        )))
    }

    /// Writes the report.
    pub(super) fn write(&self, directory: &Path, reports: &[Report]) -> Result<(), CommandError> {
        let text = match self.kind {
            Kind::Html => html(reports),
            Kind::Junit => junit(reports).map_err(|error| CommandError::usage(chain(&error)))?,
        };
        fs::write(directory.join(&self.file), text).map_err(|error| {
            CommandError::usage(format!("cannot write {}: {error}", self.file.display()))
        })
    }
}
