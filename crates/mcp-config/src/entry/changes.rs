//! What differs between two states of an entry, for whoever must decide what to restart.

use super::server::ServerEntry;
use super::transport::{HttpEntry, StdioEntry, Transport};

/// What differs between two entries of one name. Where a value comes from makes no difference.
///
/// ```
/// use mcp_config::{Origin, ServerEntry};
///
/// let entry = |json| ServerEntry::parse("a", json, &Origin::plugin("demo")).0.expect("the entry is right");
/// let changes = entry(r#"{ "command": "srv" }"#).changes(&entry(r#"{ "command": "srv", "exposure": "hidden" }"#));
/// assert!(changes.exposure && !changes.connection);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an answer of its own"
)]
pub struct Changes {
    /// What the connection is made of: transport, command, arguments, environment, directory, URL, headers.
    pub connection: bool,
    /// One of the time limits.
    pub time_limits: bool,
    /// `exposure` or `toolExposure`, the order of its rules included.
    pub exposure: bool,
    /// Whether the server is to run.
    pub enabled: bool,
}

impl Changes {
    /// Whether anything differs.
    pub fn any(self) -> bool {
        self != Changes::default()
    }
}

impl ServerEntry {
    /// What differs between this entry and another state of it.
    pub fn changes(&self, other: &ServerEntry) -> Changes {
        // Every field is named, so that a new one cannot be forgotten here.
        let ServerEntry {
            name: _,
            origin: _,
            replaced: _,
            type_origin: _,
            transport,
            enabled: _,
            exposure: _,
            tool_exposure,
            start_timeout: _,
            request_timeout: _,
            max_request: _,
        } = self;
        let rules = |entry: &ServerEntry| entry.tool_exposure().cloned().unwrap_or_default();
        Changes {
            connection: !same_transport(transport, other.transport()),
            time_limits: self.start_timeout() != other.start_timeout()
                || self.request_timeout() != other.request_timeout()
                || self.max_request() != other.max_request(),
            exposure: self.exposure() != other.exposure()
                || tool_exposure.as_deref().cloned().unwrap_or_default() != rules(other),
            enabled: self.is_enabled() != other.is_enabled(),
        }
    }
}

fn same_transport(one: &Transport, other: &Transport) -> bool {
    match (one, other) {
        (Transport::Stdio(one), Transport::Stdio(other)) => same_stdio(one, other),
        (Transport::Http(one), Transport::Http(other)) => same_http(one, other),
        (Transport::Stdio(_), Transport::Http(_)) | (Transport::Http(_), Transport::Stdio(_)) => {
            false
        }
    }
}

fn same_stdio(one: &StdioEntry, other: &StdioEntry) -> bool {
    let StdioEntry {
        command,
        args,
        env: _,
        cwd,
    } = one;
    **command == **other.command()
        && args
            .iter()
            .map(|arg| &**arg)
            .eq(other.args().iter().map(|arg| &**arg))
        && pairs(one.env()).eq(pairs(other.env()))
        && cwd.as_deref() == other.cwd.as_deref()
}

fn same_http(one: &HttpEntry, other: &HttpEntry) -> bool {
    let HttpEntry { url, headers: _ } = one;
    **url == **other.url() && pairs(one.headers()).eq(pairs(other.headers()))
}

/// The order of variables and headers makes no difference.
fn pairs<'a, T: std::ops::Deref<Target = crate::template::Template> + 'a>(
    pairs: impl Iterator<Item = (&'a str, &'a T)>,
) -> std::collections::btree_map::IntoIter<&'a str, &'a str> {
    let sorted: std::collections::BTreeMap<_, _> = pairs
        .map(|(name, template)| (name, template.expose()))
        .collect();
    sorted.into_iter()
}
