//! The kinds of events.

use std::sync::Arc;

use super::LogEntry;
use crate::DropReason;

/// Something that a connection tells on its own.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The server's tools may have changed: list them again when it suits.
    ToolsChanged,
    /// The server's resources or templates may have changed.
    ResourcesChanged,
    /// The server's prompts may have changed.
    PromptsChanged,
    /// A resource has new contents.
    ResourceUpdated {
        /// The resource.
        uri: String,
    },
    /// The HTTP session is no longer known to the server; the connection is of no further use.
    SessionExpired,
    /// A line for people.
    Log(LogEntry),
    /// The connection ended, and not because we closed it. Nothing follows.
    Dropped(Arc<DropReason>),
}
