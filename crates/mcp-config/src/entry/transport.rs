//! How a server is reached, as written.

use super::origin::Sourced;
use super::url;
use crate::template::Template;

/// How a server is reached.
///
/// ```
/// use mcp_config::{Origin, ServerEntry};
///
/// let (entry, _) = ServerEntry::parse("a", r#"{ "command": "srv" }"#, &Origin::plugin("demo"));
/// assert_eq!(entry.expect("the entry is right").transport().kind(), "stdio");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A local process that talks over its standard input and output.
    Stdio(StdioEntry),
    /// A remote server behind a URL.
    Http(HttpEntry),
}

impl Transport {
    /// `stdio` or `http`.
    pub fn kind(&self) -> &'static str {
        match self {
            Transport::Stdio(_) => "stdio",
            Transport::Http(_) => "http",
        }
    }
}

/// A local process.
///
/// ```
/// use mcp_config::{Origin, ServerEntry, Transport};
///
/// let json = r#"{ "command": "srv", "args": ["-x"], "env": { "A": "${B}" } }"#;
/// let (entry, _) = ServerEntry::parse("a", json, &Origin::plugin("demo"));
/// let entry = entry.expect("the entry is right");
/// let Transport::Stdio(stdio) = entry.transport() else { unreachable!("a command means stdio") };
/// assert_eq!((stdio.command().as_str(), stdio.args().len()), ("srv", 1));
/// assert_eq!(stdio.env().next().map(|(name, value)| (name, value.expose())), Some(("A", "${B}")));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct StdioEntry {
    pub(super) command: Sourced<String>,
    pub(super) args: Vec<Sourced<String>>,
    pub(super) env: Vec<(String, Sourced<Template>)>,
    pub(super) cwd: Option<Sourced<String>>,
}

impl StdioEntry {
    /// The program.
    pub fn command(&self) -> &Sourced<String> {
        &self.command
    }

    /// Its arguments.
    pub fn args(&self) -> &[Sourced<String>] {
        &self.args
    }

    /// What is added to its environment, in the order of the file.
    pub fn env(&self) -> impl Iterator<Item = (&str, &Sourced<Template>)> {
        self.env.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Its working directory.
    pub fn cwd(&self) -> Option<&Sourced<String>> {
        self.cwd.as_ref()
    }
}

/// A remote server.
///
/// ```
/// use mcp_config::{Origin, ServerEntry, Transport};
///
/// let json = r#"{ "url": "https://host.invalid/mcp?key=k-1", "headers": { "X-Key": "${KEY}" } }"#;
/// let (entry, _) = ServerEntry::parse("a", json, &Origin::plugin("demo"));
/// let entry = entry.expect("the entry is right");
/// let Transport::Http(http) = entry.transport() else { unreachable!("a URL means http") };
/// assert_eq!(http.headers().count(), 1);
/// assert!(!format!("{http:?}").contains("k-1"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct HttpEntry {
    pub(super) url: Sourced<String>,
    pub(super) headers: Vec<(String, Sourced<Template>)>,
}

impl HttpEntry {
    /// The URL as written, with whatever credentials it holds.
    pub fn url(&self) -> &Sourced<String> {
        &self.url
    }

    /// Headers to send, in the order of the file.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &Sourced<Template>)> {
        self.headers
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// The credentials in the URL.
    pub(crate) fn credentials(&self) -> Vec<String> {
        url::credentials(&self.url)
    }
}

mod debug {
    //! Arguments and URLs may hold credentials, so Debug shows them masked.

    use std::fmt;

    use super::{HttpEntry, StdioEntry};
    use crate::entry::url;
    use crate::sensitive::masked_args;

    impl fmt::Debug for StdioEntry {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let args: Vec<&str> = self.args.iter().map(|arg| arg.as_str()).collect();
            f.debug_struct("StdioEntry")
                .field("command", &self.command.as_str())
                .field("args", &masked_args(&args))
                .field("env", &self.env)
                .field("cwd", &self.cwd.as_ref().map(|cwd| cwd.as_str()))
                .finish()
        }
    }

    impl fmt::Debug for HttpEntry {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("HttpEntry")
                .field("url", &url::masked(&self.url))
                .field("headers", &self.headers)
                .finish()
        }
    }
}
