//! What plugins of the mcp domain edit: the servers before they are settled. Each edit is checked
//! by the rules of the file; a refused one changes nothing and says why.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_config::{Config, Origin, Problem, Server, ServerEntry};
use serde_json::{Map, Value};
use thiserror::Error;

use super::settled::{Settled, SettledServers};

/// The servers of the configuration, open for edits.
#[derive(Clone, Debug)]
pub struct ServerBucket {
    servers: BTreeMap<String, Settled>,
    /// The plugin that edits now.
    plugin: String,
    problems: Vec<Problem>,
}

/// Why an edit was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EditRefused {
    /// No entry has this name, or the entry cannot be used.
    #[error("there is no server \"{server}\" to edit")]
    UnknownServer {
        /// The name that was given.
        server: String,
    },
    /// The entry would be refused in a file, too.
    #[error("the entry \"{server}\" is refused: {}", lines(problems))]
    Invalid {
        /// The name of the entry.
        server: String,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
    /// The members to update are no JSON object.
    #[error("the update of \"{server}\" is not a JSON object")]
    NotAnObject {
        /// The name of the entry.
        server: String,
        /// What the parser says.
        source: Option<serde_json::Error>,
    },
}

impl ServerBucket {
    pub(crate) fn new(config: &Config) -> ServerBucket {
        let settled = |server: &Server| match server {
            Server::Ready(entry) => Settled::Server(Arc::new(ServerEntry::clone(entry))),
            Server::Failed(failed) => Settled::Failed(failed.message()),
            Server::AwaitingApproval(_) => Settled::AwaitingApproval,
            _ => Settled::Failed("this kind of entry is not supported".to_owned()),
        };
        let servers = config
            .servers()
            .map(|(name, server)| (name.to_owned(), settled(server)))
            .collect();
        ServerBucket {
            servers,
            plugin: String::new(),
            problems: Vec::new(),
        }
    }

    pub(crate) fn edited_by(&mut self, plugin: &str) {
        plugin.clone_into(&mut self.plugin);
    }

    pub(crate) fn settle(self) -> (SettledServers, Vec<Problem>) {
        (SettledServers::new(self.servers), self.problems)
    }

    /// The names of all entries that can be used, also those that are switched off, in order.
    pub fn names(&self) -> Vec<String> {
        let usable = self
            .servers
            .iter()
            .filter(|(_, settled)| matches!(settled, Settled::Server(_)));
        usable.map(|(name, _)| name.clone()).collect()
    }

    /// An entry that can be used.
    pub fn get(&self, server: &str) -> Option<&ServerEntry> {
        match self.servers.get(server)? {
            Settled::Server(entry) => Some(entry),
            Settled::Failed(_) | Settled::AwaitingApproval => None,
        }
    }

    /// Adds an entry, or puts it in the place of another; `json` is what would stand in the file.
    pub fn set(&mut self, server: &str, json: &str) -> Result<(), EditRefused> {
        let (entry, problems) = ServerEntry::parse(server, json, &Origin::plugin(&self.plugin));
        self.put(server, entry, problems)
    }

    /// Changes members of an entry: those that `json` names are replaced, one given as `null` is
    /// removed.
    pub fn update(&mut self, server: &str, json: &str) -> Result<(), EditRefused> {
        let known = self.get(server).ok_or_else(|| EditRefused::UnknownServer {
            server: server.to_owned(),
        })?;
        let refused = |source| EditRefused::NotAnObject {
            server: server.to_owned(),
            source,
        };
        let mut members: Map<String, Value> =
            serde_json::from_str(&known.expose_json()).map_err(|error| refused(Some(error)))?;
        let update: Map<String, Value> =
            serde_json::from_str(json).map_err(|error| refused(Some(error)))?;
        // Two words for one thing: the one that the update uses holds.
        for (one, other) in [("enabled", "disabled"), ("disabled", "enabled")] {
            if update.contains_key(one) {
                members.remove(other);
            }
        }
        for (member, value) in update {
            if value.is_null() {
                members.remove(&member);
            } else {
                members.insert(member, value);
            }
        }
        let json = Value::Object(members).to_string();
        self.set(server, &json)
    }

    /// Removes an entry, also one that could not be used.
    pub fn remove(&mut self, server: &str) -> Result<(), EditRefused> {
        match self.servers.remove(server) {
            Some(_) => Ok(()),
            None => Err(EditRefused::UnknownServer {
                server: server.to_owned(),
            }),
        }
    }

    fn put(
        &mut self,
        server: &str,
        entry: Option<ServerEntry>,
        problems: Vec<Problem>,
    ) -> Result<(), EditRefused> {
        let faulty = problems.iter().any(Problem::is_error);
        match entry {
            Some(entry) if !faulty => {
                self.servers
                    .insert(server.to_owned(), Settled::Server(Arc::new(entry)));
                self.problems.extend(problems);
                Ok(())
            }
            _ => Err(EditRefused::Invalid {
                server: server.to_owned(),
                problems,
            }),
        }
    }
}

/// The errors in one line; warnings are not why an edit is refused.
fn lines(problems: &[Problem]) -> String {
    let errors = problems.iter().filter(|problem| problem.is_error());
    let lines: Vec<String> = errors
        .map(|problem| match problem.path() {
            Some(path) => format!("{path}: {}", problem.message()),
            None => problem.message().to_owned(),
        })
        .collect();
    lines.join("; ")
}
