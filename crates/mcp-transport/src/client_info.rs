//! Who the client is, as servers are told.

use serde::Serialize;

/// Name and version that servers are told, as MCP's `clientInfo`.
///
/// ```
/// let client = mcp_transport::ClientInfo::new("my-agent", "1.4.0");
/// assert_eq!(client.title, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ClientInfo {
    /// The program's name.
    pub name: String,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The program's version.
    pub version: String,
}

impl ClientInfo {
    /// A client of this name and version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            version: version.into(),
        }
    }

    /// Adds a name for people.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }
}

impl Default for ClientInfo {
    fn default() -> Self {
        Self::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
    }
}
