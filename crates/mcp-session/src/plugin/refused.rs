//! Why an edit of the tools was refused.

use thiserror::Error;

/// Why an edit of the tools was refused; the bucket is as it was.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ToolEditRefused {
    /// No tool has this name.
    #[error("there is no tool \"{name}\" to edit")]
    UnknownTool {
        /// The name that was given.
        name: String,
    },
    /// Another tool has this name.
    #[error("a tool named \"{name}\" exists already; override it instead")]
    NameTaken {
        /// The name that was given.
        name: String,
    },
    /// The name is none for a plugin's own tool.
    #[error(
        "\"{name}\" is no name for a plugin's tool: at most 64 letters, digits, \"_\" and \"-\", without \"mcp__\" in front"
    )]
    InvalidName {
        /// The name that was given.
        name: String,
    },
    /// A part of the definition is no JSON.
    #[error("the {what} of tool \"{name}\" is not valid JSON")]
    InvalidJson {
        /// The tool.
        name: String,
        /// Which part.
        what: &'static str,
        /// What the parser says.
        source: serde_json::Error,
    },
    /// The schema can never accept an object, so nobody could call the tool.
    #[error("the input schema of tool \"{name}\" cannot be used: {reason}")]
    UnusableSchema {
        /// The tool.
        name: String,
        /// Why not.
        reason: String,
    },
}
