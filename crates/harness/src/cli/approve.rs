//! Approvals of single entries of a project's file: remembered in home by their fingerprints, asked for on a
//! terminal. An entry that changes has another fingerprint, so it is asked about again.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use mcp_config::{Fingerprint, PendingEntry};

use super::exit::CommandError;

/// The approvals that a person gave, in `<home>/approved-servers`: a fingerprint a line.
pub(super) struct Approvals {
    file: PathBuf,
    known: BTreeSet<Fingerprint>,
}

impl Approvals {
    /// The remembered ones. Lines that are none, and a file that cannot be read, approve nothing.
    pub(super) fn of(home: &Path) -> Approvals {
        let file = home.join("approved-servers");
        let text = fs::read_to_string(&file).unwrap_or_default();
        let known = text
            .lines()
            .filter_map(|line| line.trim().parse().ok())
            .collect();
        Approvals { file, known }
    }

    pub(super) fn known(&self) -> impl Iterator<Item = Fingerprint> + '_ {
        self.known.iter().copied()
    }

    /// Asks about each entry. Only if all are approved is anything remembered and started.
    pub(super) fn ask(&mut self, pending: &[PendingEntry]) -> Result<bool, CommandError> {
        for entry in pending {
            let question = format!(
                "{}\n  {}\nStart it, now and whenever it is unchanged? [y/N] ",
                entry.origin(),
                entry.summary()
            );
            if !confirmed(&question)? {
                return Ok(false);
            }
        }
        self.known
            .extend(pending.iter().map(PendingEntry::fingerprint));
        self.save()?;
        Ok(true)
    }

    fn save(&self) -> Result<(), CommandError> {
        let lines: String = self
            .known
            .iter()
            .map(|known| known.to_string() + "\n")
            .collect();
        let written = self
            .file
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| private(&self.file))
            .and_then(|mut file| file.write_all(lines.as_bytes()));
        written.map_err(|error| {
            CommandError::usage(format!("cannot write {}: {error}", self.file.display()))
        })
    }
}

/// Whether there is a person to ask.
pub(super) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks on standard error, since standard output may be JSON for somebody.
fn confirmed(question: &str) -> io::Result<bool> {
    let mut errors = io::stderr().lock();
    errors.write_all(crate::terminal::escape(question).as_bytes())?;
    errors.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// A file that only its owner may read.
fn private(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}
