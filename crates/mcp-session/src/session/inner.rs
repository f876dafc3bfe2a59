//! What a session owns. One synchronous lock guards what exchanges change; it is held for moments,
//! never over a wait, and never on the way of a call that finds its tool.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcp_config::{ConfigReader, Digest, DigestKey, Environment, Layer, Problem, ServerEntry};
use mcp_naming::NameTable;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::freeze::Frozen;
use crate::exchange::OutputPolicy;
use crate::plugin::{Plugin, PluginFailures};
use crate::result::ResultOptions;
use crate::server::{ServerState, Services, Shared, ToolList, View};
use crate::settle::{Settled, SettledServers};
use crate::status::{Hub, Names, ServerStatus};

/// What a session was built with and does not change.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) base: Arc<Path>,
    pub(crate) initial_wait: Duration,
    pub(crate) wait_for_hidden: bool,
    pub(crate) plugins: Vec<Plugin>,
    pub(crate) plugin_failures: PluginFailures,
    pub(crate) output: OutputPolicy,
    pub(crate) results: ResultOptions,
}

pub(crate) struct Inner {
    pub(crate) settings: Settings,
    pub(crate) hub: Hub,
    pub(super) services: Arc<Services>,
    pub(super) closing: CancellationToken,
    pub(super) open: Arc<AtomicBool>,
    /// Files are read on a thread of their own, so the reader is shared with it.
    pub(super) reader: Arc<Mutex<ConfigReader>>,
    pub(super) digest_key: DigestKey,
    state: Mutex<State>,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) layers: Vec<Layer>,
    pub(super) environment: Environment,
    /// Every server that has an owner and belongs to the settled ones.
    pub(super) servers: BTreeMap<String, Handle>,
    /// Owners of removed servers that are still on their way out.
    pub(super) leaving: Vec<Arc<Shared>>,
    pub(super) settled: SettledServers,
    pub(super) names: NameTable,
    pub(super) frozen: Option<Frozen>,
    pub(super) problems: Vec<Problem>,
    /// The owners; dropping the session aborts them, and with them their connections.
    pub(super) tasks: JoinSet<()>,
}

/// A running server and what it was started from.
#[derive(Debug)]
pub(super) struct Handle {
    pub(super) shared: Arc<Shared>,
    pub(super) entry: Arc<ServerEntry>,
    pub(super) variables: Digest,
}

impl Handle {
    /// The state as it is now, also where the owner has not heard of a drop yet.
    pub(super) fn state(&self) -> ServerState {
        // An owner ends when it is told to, or when a host's connector panics in it: then the next
        // exchange starts another.
        if self.shared.ended.is_cancelled() {
            return ServerState::Stopped;
        }
        let view = self.shared.view();
        let dropped = view
            .live
            .as_ref()
            .is_some_and(|live| live.connection.dropped());
        if dropped {
            ServerState::Dropped
        } else {
            view.state
        }
    }
}

impl Inner {
    pub(super) fn new(
        settings: Settings,
        services: Services,
        digest_key: DigestKey,
        (layers, environment, names): (Vec<Layer>, Environment, NameTable),
    ) -> Inner {
        let state = State {
            layers,
            environment,
            servers: BTreeMap::new(),
            leaving: Vec::new(),
            settled: SettledServers::default(),
            names,
            frozen: None,
            problems: Vec::new(),
            tasks: JoinSet::new(),
        };
        Inner {
            settings,
            hub: Hub::new(),
            services: Arc::new(services),
            closing: CancellationToken::new(),
            open: Arc::default(),
            reader: Arc::default(),
            digest_key,
            state: Mutex::new(state),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // What is done under the lock leaves the state whole at every point where it could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names given so far.
    pub(crate) fn names_given(&self) -> NameTable {
        self.state().names.clone()
    }

    /// A running server's entry and snapshot.
    pub(crate) fn running(&self, server: &str) -> Option<(Arc<ServerEntry>, Arc<View>)> {
        let state = self.state();
        state
            .servers
            .get(server)
            .map(|handle| (Arc::clone(&handle.entry), handle.shared.view()))
    }

    /// The newest listing of every server that has one.
    pub(crate) fn listings(&self) -> Vec<(Arc<str>, Arc<ServerEntry>, Arc<ToolList>)> {
        let state = self.state();
        let listings = state.servers.values().filter_map(|handle| {
            let tools = handle.shared.view().tools.clone()?;
            Some((
                Arc::clone(&handle.shared.name),
                Arc::clone(&handle.entry),
                tools,
            ))
        });
        listings.collect()
    }

    /// All names of the configuration, and those on their way out.
    pub(crate) fn names(&self) -> Vec<Arc<str>> {
        let state = self.state();
        let settled = state.settled.all().map(|(name, _)| Arc::from(name));
        let mut names: Vec<Arc<str>> = settled.collect();
        let leaving = state
            .leaving
            .iter()
            .filter(|shared| !shared.ended.is_cancelled());
        names.extend(leaving.map(|shared| Arc::clone(&shared.name)));
        names.sort();
        names.dedup();
        names
    }

    pub(crate) fn status_of(&self, name: &str) -> Option<ServerStatus> {
        let look = self.state().look(name)?;
        // Outside of the lock, since notes on schemas may have to compile one again.
        Some(look.status(name))
    }
}

/// What is known of a name at one moment.
enum Look {
    Owned(Arc<View>, Option<Names>),
    Absent(ServerState, Option<String>),
}

impl Look {
    fn status(self, name: &str) -> ServerStatus {
        match self {
            Look::Owned(view, names) => ServerStatus::of(name, &view, names.as_ref()),
            Look::Absent(state, error) => ServerStatus::absent(name, state, error),
        }
    }
}

impl State {
    fn look(&self, name: &str) -> Option<Look> {
        if let Some(handle) = self.servers.get(name) {
            let view = handle.shared.view();
            let names = Names::of(&view, &handle.entry, &self.names);
            return Some(Look::Owned(view, Some(names)));
        }
        Some(match self.settled.settled(name) {
            Some(Settled::Server(_)) => Look::Absent(ServerState::Disabled, None),
            Some(Settled::Failed(message)) => {
                Look::Absent(ServerState::Failed, Some(message.clone()))
            }
            Some(Settled::AwaitingApproval) => Look::Absent(ServerState::AwaitingApproval, None),
            None => {
                let leaving = self.leaving.iter().find(|shared| &*shared.name == name)?;
                Look::Owned(leaving.view(), None)
            }
        })
    }
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
