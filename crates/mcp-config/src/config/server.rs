//! What became of a name.

use crate::entry::{Origin, ServerEntry};
use crate::problem::Problem;

use super::pending::PendingEntry;

/// What became of one name in all layers.
///
/// ```
/// use mcp_config::{Layer, Server, load};
/// # let directory = tempfile::tempdir()?;
/// # let file = directory.path().join("mcp.json");
/// std::fs::write(&file, r#"{ "mcpServers": { "a": { "command": "srv" } } }"#)?;
///
/// match load(&[Layer::user(&file)]).get("a") {
///     Some(Server::Ready(entry)) => assert!(entry.is_enabled()),
///     Some(Server::Failed(failed)) => println!("{}", failed.message()),
///     Some(Server::AwaitingApproval(pending)) => println!("{}", pending.summary()),
///     _ => {}
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Server {
    /// A server that can be used; it may be switched off, see [`ServerEntry::is_enabled`].
    Ready(Box<ServerEntry>),
    /// A server that cannot be used, because its entry is wrong.
    Failed(FailedEntry),
    /// A server of an untrusted layer, which waits for a person.
    AwaitingApproval(Box<PendingEntry>),
}

impl Server {
    /// The entry, if the server can be used.
    pub fn entry(&self) -> Option<&ServerEntry> {
        match self {
            Server::Ready(entry) => Some(entry),
            Server::Failed(_) | Server::AwaitingApproval(_) => None,
        }
    }

    /// Where it is written.
    pub fn origin(&self) -> &Origin {
        match self {
            Server::Ready(entry) => entry.origin(),
            Server::Failed(failed) => failed.origin(),
            Server::AwaitingApproval(pending) => pending.origin(),
        }
    }
}

/// An entry that is wrong.
///
/// ```
/// use mcp_config::{Layer, Server, load};
/// # let directory = tempfile::tempdir()?;
/// # let file = directory.path().join("mcp.json");
/// std::fs::write(&file, r#"{ "mcpServers": { "a": {} } }"#)?;
///
/// let config = load(&[Layer::user(&file)]);
/// let Some(Server::Failed(failed)) = config.get("a") else { unreachable!("it is empty") };
/// assert_eq!(failed.message(), "mcpServers.a: the entry is empty");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FailedEntry {
    pub(super) origin: Origin,
    pub(super) problems: Vec<Problem>,
}

impl FailedEntry {
    /// Where the entry is written.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What is wrong with it; they are among the problems of the whole configuration, too.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The errors as one line, with their paths.
    pub fn message(&self) -> String {
        let errors = self.problems.iter().filter(|problem| problem.is_error());
        let lines: Vec<String> = errors
            .map(|problem| match problem.path() {
                Some(path) => format!("{path}: {}", problem.message()),
                None => problem.message().to_owned(),
            })
            .collect();
        lines.join("; ")
    }
}
