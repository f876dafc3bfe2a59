//! Lists: what was understood of them, and what was not.

use std::fmt;
use std::time::Duration;

use super::{Fault, Object};
use crate::wire::Member;

/// All pages of a list. Items that could not be understood are in `problems` instead.
///
/// ```
/// # async fn show(connection: &mcp_transport::Connection) -> Result<(), mcp_transport::RequestError> {
/// let tools = connection.tools().await?;
/// for problem in &tools.problems {
///     println!("left out: {problem}"); // tools[3].inputSchema: missing
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listing<T> {
    /// What was understood, in the server's order.
    pub items: Vec<T>,
    /// What was not.
    pub problems: Vec<ListProblem>,
    /// How long the list holds, as the server says; the shortest of its pages.
    pub cache: Option<CacheHint>,
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            problems: Vec::new(),
            cache: None,
        }
    }
}

/// A part of a list that could not be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListProblem {
    /// Where, such as `tools[3].inputSchema`; items are counted over all pages.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl ListProblem {
    pub(crate) fn new(path: &str, message: String) -> Self {
        Self {
            path: path.to_owned(),
            message,
        }
    }
}

impl fmt::Display for ListProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// How long an answer may be kept, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheHint {
    /// How long it holds.
    pub ttl: Duration,
    /// Whether it is the same for every user.
    pub public: bool,
}

impl CacheHint {
    pub(crate) fn new(ttl: Duration, public: bool) -> Self {
        Self { ttl, public }
    }
}

/// Faults of members that an item can do without.
pub(crate) type Faults = Vec<Fault>;

/// An item of a list that is read leniently.
pub(crate) trait Item: Sized {
    const METHOD: &'static str;
    /// Where the items stand in the result.
    const MEMBER: Member;
    /// What a server declares that has such a list.
    const CAPABILITY: &'static str;

    /// Reads an item. What it can do without is left out, with a fault.
    fn read(object: Object<'_>, faults: &mut Faults) -> Result<Self, Fault>;

    /// What tells two items apart.
    fn key(&self) -> &str;
}

/// Takes a member that an item can do without.
pub(super) fn optional<T>(read: Result<Option<T>, Fault>, faults: &mut Faults) -> Option<T> {
    read.unwrap_or_else(|fault| {
        faults.push(fault);
        None
    })
}
