//! The names that a host has given: kept in a file, from which the next host resumes.

use std::collections::HashMap;
use std::fs;

use mcp_naming::NameTable;
use mcp_session::{Exchange, Session};

use super::line::Line;
use crate::fleet::Folder;
use crate::outcome::Outcome;

const FILE: &str = "names.json";

/// The names of the session's tools.
pub(super) struct Names {
    folder: Folder,
    /// By server and raw name.
    known: HashMap<(String, String), String>,
}

impl Names {
    /// The names of the hosts before this one, and the table to resume from.
    pub(super) fn resume(folder: Folder) -> Outcome<(Names, NameTable)> {
        let table = match fs::read_to_string(folder.path(FILE)) {
            Ok(text) => serde_json::from_str(&text)?,
            Err(_) => NameTable::new(),
        };
        let known = HashMap::new();
        Ok((Names { folder, known }, table))
    }

    /// Saves the session's names, and gives what there is to tell of those that the exchange shows.
    ///
    /// Saved first: a name that was shown to a model must be known to the host that resumes.
    pub(super) fn note(&mut self, session: &Session, exchange: &Exchange) -> Outcome<Vec<Line>> {
        let new: Vec<(String, String, String)> = exchange
            .tools()
            .iter()
            .map(|tool| {
                let server = tool.server().unwrap_or_default().to_owned();
                (server, tool.raw_name().to_owned(), tool.name().to_owned())
            })
            .filter(|(server, tool, name)| {
                self.known.get(&(server.clone(), tool.clone())) != Some(name)
            })
            .collect();
        if new.is_empty() {
            return Ok(Vec::new());
        }
        let draft = self.folder.path("names.json.new");
        fs::write(&draft, serde_json::to_string(&session.name_table())?)?;
        // A host may be killed at any moment, also in the middle of a write.
        fs::rename(&draft, self.folder.path(FILE))?;
        let lines = new.into_iter().map(|(server, tool, name)| {
            let pair = (server.clone(), tool.clone());
            let before = self.known.insert(pair, name.clone());
            match before {
                Some(before) => Line::Fault(format!("{server}'s {tool} was {before}, now {name}")),
                None => Line::Name { name, server, tool },
            }
        });
        Ok(lines.collect())
    }

    /// The tool's name, or for one that was never shown the name that it would probably have.
    pub(super) fn of(&self, server: &str, tool: &str) -> String {
        let pair = (server.to_owned(), tool.to_owned());
        let guess = || format!("mcp__{}__{tool}", server.replace('-', "_"));
        self.known.get(&pair).cloned().unwrap_or_else(guess)
    }
}
