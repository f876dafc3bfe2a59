//! Why one pair of a batch gets no name.

use thiserror::Error;

/// Why one pair of a batch has no name; the other pairs of the batch are not touched by it.
///
/// Names are quoted with their control characters escaped, since they come from servers.
///
/// ```
/// use mcp_naming::{NameProblem, NameTable};
///
/// let names = NameTable::new().assign([("files", ""), ("files", "read"), ("files", "read")]);
/// assert_eq!(names[0], Err(NameProblem::EmptyToolName { server: "files".into() }));
/// assert!(names[1].is_ok());
/// let problem = names[2].as_ref().unwrap_err();
/// assert_eq!(problem.to_string(), r#"server "files" offers tool "read" more than once; the first is kept"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameProblem {
    /// The tool has no name, so that nothing could call it.
    #[error("server {server:?} offers a tool without a name, which cannot be called")]
    EmptyToolName {
        /// The server's key in the configuration.
        server: String,
    },
    /// The batch holds this pair a second time; the first one has its name.
    #[error("server {server:?} offers tool {tool:?} more than once; the first is kept")]
    RepeatedPair {
        /// The server's key in the configuration.
        server: String,
        /// The tool's own name.
        tool: String,
    },
}
