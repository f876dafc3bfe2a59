//! Puts layers over each other.

use std::sync::Arc;

use super::layer::Layer;
use super::load::{Config, Merged, Outcome};
use super::pending::{PendingEntry, PendingKind};
use super::reader::LayerReading;
use super::reading::EntryReading;
use super::server::{FailedEntry, Server};
use crate::document::JsonPath;
use crate::entry::{ServerEntry, Written};
use crate::problem::Problem;

pub(super) fn merge(layers: &[Layer], readings: Vec<LayerReading>) -> Config {
    let mut merge = Merged::default();
    for (layer, reading) in layers.iter().zip(readings) {
        merge.problems.extend(reading.problems);
        for entry in reading.entries.iter() {
            if layer.admits(&entry.fingerprint) {
                merge.apply(entry);
            } else {
                merge.hold(entry);
            }
        }
        merge.sources.push(reading.source);
    }
    Config {
        merged: Arc::new(merge),
    }
}

impl Merged {
    fn ready(&self, name: &str) -> Option<&ServerEntry> {
        self.servers.get(name).and_then(Server::entry)
    }

    fn apply(&mut self, entry: &EntryReading) {
        let server = match &entry.written {
            Written::Server(server) => {
                let server = (**server).clone();
                Server::Ready(Box::new(match self.ready(&entry.name) {
                    Some(earlier) => server.replacing(earlier),
                    None => server,
                }))
            }
            Written::Failed => Server::Failed(FailedEntry {
                origin: entry.origin.clone(),
                problems: entry.problems.clone(),
            }),
            Written::Override(patch) => match self.servers.get(&entry.name) {
                Some(Server::Ready(base)) => Server::Ready(Box::new(base.patched(patch))),
                // The base is wrong, and said so already.
                Some(Server::Failed(_)) => return,
                Some(Server::AwaitingApproval(_)) | None => self.baseless(entry),
            },
        };
        self.servers.insert(Arc::clone(&entry.name), server);
    }

    /// Reports an entry that has no effect until it is approved.
    fn hold(&mut self, entry: &EntryReading) {
        let base = self.ready(&entry.name).map(|base| base.origin().clone());
        let kind = match (&entry.written, base) {
            (Written::Failed, Some(_)) => return,
            (Written::Failed | Written::Override(_), None) => return self.apply(entry),
            (Written::Server(_), None) => PendingKind::New,
            (Written::Server(_), Some(base)) => PendingKind::Replaces(base),
            (Written::Override(_), Some(base)) => PendingKind::Overrides(base),
        };
        let pending = PendingEntry {
            name: entry.name.to_string(),
            origin: entry.origin.clone(),
            fingerprint: entry.fingerprint,
            kind,
            written: entry.written.clone(),
        };
        self.problems.push(awaiting(entry, pending.kind()));
        if !self.servers.contains_key(&entry.name) {
            let server = Server::AwaitingApproval(Box::new(pending.clone()));
            self.servers.insert(Arc::clone(&entry.name), server);
        }
        self.pending.push(pending);
    }

    /// An override of nothing.
    fn baseless(&mut self, entry: &EntryReading) -> Server {
        let problem = place(
            entry,
            Problem::error("there is no server of this name to override"),
        );
        let problem = problem.with_help(self.baseless_help());
        self.problems.push(problem.clone());
        Server::Failed(FailedEntry {
            origin: entry.origin.clone(),
            problems: vec![problem],
        })
    }

    fn baseless_help(&self) -> String {
        let broken = self.sources.iter().filter(|source| {
            matches!(source.outcome(), Outcome::Broken | Outcome::Unreadable)
                && !source.kept_last_good()
        });
        let broken: Vec<String> = broken
            .map(|source| source.file().display().to_string())
            .collect();
        let add = "add `command` or `url` to make it a server of its own";
        if broken.is_empty() {
            return format!("{add}, or check the name");
        }
        format!(
            "its server may be in {}, which could not be read; mend that file, or {add}",
            broken.join(", ")
        )
    }
}

fn awaiting(entry: &EntryReading, kind: &PendingKind) -> Problem {
    let (message, instead) = match kind {
        PendingKind::New => (
            "the server is not started until it is approved",
            String::new(),
        ),
        PendingKind::Replaces(origin) => (
            "the server does not take the place of another until it is approved",
            format!("; until then the one of {origin} is used"),
        ),
        PendingKind::Overrides(_) => (
            "the override has no effect until it is approved",
            String::new(),
        ),
    };
    let help = format!(
        "this file came with the project: approve the entry, or trust the project{instead}"
    );
    place(entry, Problem::warning(message)).with_help(help)
}

fn place(entry: &EntryReading, problem: Problem) -> Problem {
    let path = JsonPath::root().member("mcpServers").member(&entry.name);
    let problem = problem.with_path(&path).with_shared_server(&entry.name);
    entry
        .origin
        .place(problem)
        .with_excerpt(entry.excerpt.clone())
}
