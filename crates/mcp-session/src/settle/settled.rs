//! The servers of one exchange, immutable.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_config::ServerEntry;

/// The outcome of layers and plugins: what every later domain reads and none can write.
///
/// ```compile_fail
/// # fn later(settled: &mcp_session::SettledServers) {
/// settled.set("files", r#"{"command": "other"}"#);
/// # }
/// ```
///
/// Values that it gives out are copies; changing one changes no server.
#[derive(Clone, Debug, Default)]
pub struct SettledServers(Arc<BTreeMap<String, Settled>>);

/// One name of the configuration.
#[derive(Clone, Debug)]
pub(crate) enum Settled {
    /// May be switched off.
    Server(Arc<ServerEntry>),
    Failed(String),
    AwaitingApproval,
}

impl SettledServers {
    pub(crate) fn new(servers: BTreeMap<String, Settled>) -> SettledServers {
        SettledServers(Arc::new(servers))
    }

    /// The names of all entries that can be used, also those that are switched off, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries().map(|(name, _)| name)
    }

    /// An entry that can be used.
    pub fn get(&self, server: &str) -> Option<&ServerEntry> {
        match self.0.get(server)? {
            Settled::Server(entry) => Some(entry),
            Settled::Failed(_) | Settled::AwaitingApproval => None,
        }
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &Arc<ServerEntry>)> {
        self.all().filter_map(|(name, settled)| match settled {
            Settled::Server(entry) => Some((name, entry)),
            Settled::Failed(_) | Settled::AwaitingApproval => None,
        })
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Settled)> {
        self.0
            .iter()
            .map(|(name, settled)| (name.as_str(), settled))
    }

    pub(crate) fn settled(&self, server: &str) -> Option<&Settled> {
        self.0.get(server)
    }
}
