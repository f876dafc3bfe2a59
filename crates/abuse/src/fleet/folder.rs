//! The folder of a run: a folder a server with its script, journals and count of starts, and the
//! configuration of the host. It is named in the arguments of every server, by which they are found.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{FIXTURE_COMMAND, Fixture};
use crate::outcome::Outcome;

/// Longer than any run.
const MAX_LIFE_MS: &str = "86400000";

/// Whether servers write down what they see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Journals {
    Kept,
    Off,
}

/// The folder of a run. Who made it removes it; a host that is started by the run only uses it.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    root: PathBuf,
    journals: Journals,
}

impl Folder {
    pub(crate) fn with_journals(root: &Path) -> Folder {
        Folder {
            root: root.to_owned(),
            journals: Journals::Kept,
        }
    }

    pub(crate) fn without_journals(root: &Path) -> Folder {
        Folder {
            root: root.to_owned(),
            journals: Journals::Off,
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A file of the host's.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The folder of one server, with a separator behind it: no server's is the start of another's.
    pub(crate) fn mark_of(&self, server: &str) -> String {
        format!("{}/", self.server(server).display())
    }

    fn server(&self, server: &str) -> PathBuf {
        self.root.join("servers").join(server)
    }

    /// Writes a server's script.
    pub(crate) fn lay(&self, fixture: &Fixture) -> Outcome<()> {
        let folder = self.server(&fixture.name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("script.json"), fixture.script.to_string())?;
        Ok(())
    }

    /// The arguments behind this command that play a server.
    pub(crate) fn arguments(&self, server: &str) -> Vec<String> {
        let folder = self.server(server);
        let file = |name: &str| folder.join(name).display().to_string();
        let mut arguments = vec![
            FIXTURE_COMMAND.to_owned(),
            "--script".to_owned(),
            file("script.json"),
            "--state".to_owned(),
            folder.display().to_string(),
            "--max-life-ms".to_owned(),
            MAX_LIFE_MS.to_owned(),
        ];
        if self.journals == Journals::Kept {
            arguments.extend(["--journal".to_owned(), file("{start}.journal")]);
        }
        arguments
    }

    /// The members of an `mcp.json` entry that start a server.
    pub(crate) fn stdio_entry(&self, server: &str) -> Outcome<Value> {
        let program = std::env::current_exe()?;
        Ok(json!({ "command": program, "args": self.arguments(server) }))
    }

    /// What the scripts of all servers noted, value by value.
    pub(crate) fn notes(&self, mut each: impl FnMut(&str, &Value)) -> Outcome<()> {
        for server in fs::read_dir(self.root.join("servers"))? {
            let server = server?;
            let name = server.file_name().to_string_lossy().into_owned();
            for file in fs::read_dir(server.path())? {
                let path = file?.path();
                if path
                    .extension()
                    .is_some_and(|extension| extension == "journal")
                {
                    notes_of(&path, |note| each(&name, note))?;
                }
            }
        }
        Ok(())
    }
}

fn notes_of(journal: &Path, mut each: impl FnMut(&Value)) -> Outcome<()> {
    for line in BufReader::new(fs::File::open(journal)?).lines() {
        let line = line?;
        if !line.starts_with("{\"note\":") {
            continue;
        }
        let line: Value = serde_json::from_str(&line)
            .map_err(|error| format!("{}: {error}: {line}", journal.display()))?;
        each(&line["note"]);
    }
    Ok(())
}
