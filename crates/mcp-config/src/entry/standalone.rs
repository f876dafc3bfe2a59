//! Entries that do not come from a file, checked by its rules.

use std::sync::Arc;

use super::members::OVERRIDABLE;
use super::origin::Origin;
use super::parse::{Written, read_entry};
use super::reader::Context;
use super::server::ServerEntry;
use crate::document::{self, JsonPath};
use crate::problem::Problem;

/// How many problems of one entry are told.
const MAX_PROBLEMS: usize = 100;

impl ServerEntry {
    /// Reads an entry by the rules of the file, for entries that do not come from one. `json` is the entry alone.
    ///
    /// The entry is absent exactly if there is an error among the problems.
    pub fn parse(name: &str, json: &str, origin: &Origin) -> (Option<ServerEntry>, Vec<Problem>) {
        let (written, mut problems) = read_text(name, json, origin);
        match written {
            // A duplicate member is an error of the text, beside an entry that could be used.
            Written::Server(_) if problems.iter().any(Problem::is_error) => (None, problems),
            Written::Server(server) => (Some(server.with_origin(origin)), problems),
            Written::Failed => (None, problems),
            Written::Override(_) => {
                let path = JsonPath::root().member("mcpServers").member(name);
                let problem = Problem::error("the entry has neither `command` nor `url`")
                    .with_path(&path)
                    .with_server(name)
                    .with_help("add one of them, or override an existing server");
                problems.push(problem);
                (None, problems)
            }
        }
    }

    /// Applies an entry that only overrides: `enabled`, `disabled`, `exposure`, `toolExposure`.
    ///
    /// The entry is absent exactly if there is an error among the problems.
    pub fn with_override(
        &self,
        json: &str,
        origin: &Origin,
    ) -> (Option<ServerEntry>, Vec<Problem>) {
        let (written, mut problems) = read_text(&self.name, json, origin);
        match written {
            Written::Override(_) if problems.iter().any(Problem::is_error) => (None, problems),
            Written::Override(patch) => (Some(self.patched(&patch.with_origin(origin))), problems),
            Written::Failed => (None, problems),
            Written::Server(_) => {
                let path = JsonPath::root().member("mcpServers").member(&self.name);
                let message = format!("an override may hold only {}", OVERRIDABLE.join(", "));
                problems.push(
                    Problem::error(message)
                        .with_path(&path)
                        .with_server(&self.name),
                );
                (None, problems)
            }
        }
    }
}

/// Reads an entry that stands alone; its problems have paths but no places in a file.
fn read_text(name: &str, json: &str, origin: &Origin) -> (Written, Vec<Problem>) {
    let parsed = document::parse(origin.layer(), json.as_bytes());
    let mut problems = parsed.problems;
    let mut written = Written::Failed;
    if name.trim().is_empty() {
        problems.push(Problem::error("a server needs a name that is not empty"));
    } else if let Some(document) = parsed.document {
        let layer = Arc::from(origin.layer());
        let mut context = Context::new(document.source(), &layer, name, MAX_PROBLEMS);
        let root = document.root();
        written = read_entry(&mut context, root.span(), root);
        problems.extend(context.finish().0);
    }
    (
        written,
        problems
            .into_iter()
            .map(|problem| problem.without_place().with_server(name))
            .collect(),
    )
}
