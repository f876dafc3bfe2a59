//! What the tests share: files in a directory of their own, and short forms of outcomes.

use std::path::PathBuf;

use mcp_config::{Config, Layer, Origin, Problem, Server, ServerEntry, Trust, load};
use tempfile::TempDir;

/// A directory with a user's and a project's file.
pub(crate) struct Files {
    directory: TempDir,
}

impl Files {
    pub(crate) fn new() -> Self {
        Files {
            directory: TempDir::new().unwrap(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

/// Loads one text as the user's file.
pub(crate) fn user(bytes: impl AsRef<[u8]>) -> Config {
    let files = Files::new();
    load(&[Layer::user(files.write("user.json", bytes))])
}

/// Loads two texts as the user's and the project's file, which is trusted.
pub(crate) fn layered(user: &str, project: &str) -> Config {
    let files = Files::new();
    load(&[
        Layer::user(files.write("user.json", user)),
        Layer::project(files.write("project.json", project)).with_trust(Trust::Trusted),
    ])
}

/// An entry that is right.
pub(crate) fn entry(json: &str) -> ServerEntry {
    let (entry, problems) = ServerEntry::parse("a", json, &Origin::plugin("test"));
    entry.unwrap_or_else(|| panic!("{json}: {problems:?}"))
}

/// `a:ready b:failed`, in the order of the configuration.
pub(crate) fn states(config: &Config) -> String {
    let states = config.servers().map(|(name, server)| {
        let state = match server {
            Server::Ready(entry) if entry.is_enabled() => "ready",
            Server::Ready(_) => "disabled",
            Server::Failed(_) => "failed",
            Server::AwaitingApproval(_) => "awaiting",
            _ => "new",
        };
        format!("{name}:{state}")
    });
    states.collect::<Vec<_>>().join(" ")
}

/// One line a problem: `error mcpServers.a.env.N: expected a string, found a number | help`.
pub(crate) fn lines(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(line).collect()
}

pub(crate) fn line(problem: &Problem) -> String {
    let path = problem.path().unwrap_or("-");
    let help = problem.help().unwrap_or("-");
    format!(
        "{} {path}: {} | {help}",
        problem.severity(),
        problem.message()
    )
}

/// Fails unless there is exactly one problem for each expectation, and each contains all its words.
pub(crate) fn assert_problems(what: &str, problems: &[Problem], expected: &[&[&str]]) {
    let lines = lines(problems);
    assert_eq!(lines.len(), expected.len(), "{what}: {lines:#?}");
    for (line, words) in lines.iter().zip(expected) {
        for word in *words {
            assert!(
                line.contains(word),
                "{what}: {word:?} is missing in {line:?}"
            );
        }
    }
}
