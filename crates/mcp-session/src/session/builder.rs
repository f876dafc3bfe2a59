//! How a session is set up.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mcp_config::{DigestKey, Environment, Layer};
use mcp_naming::NameTable;
use mcp_transport::{ClientInfo, Handlers, ServerLog};
use sha2::{Digest as _, Sha256};

use super::handle::Session;
use super::inner::{Inner, Settings};
use crate::command::Commands;
use crate::connect::{Connector, SystemConnector};
use crate::exchange::OutputPolicy;
use crate::plugin::{Plugin, PluginFailures};
use crate::result::ResultOptions;
use crate::server::{Services, UrlGates};

/// How long the beginning of an exchange waits for the servers that it starts.
pub const INITIAL_WAIT: Duration = Duration::from_secs(10);

/// A session to set up; everything has a default.
///
/// ```
/// use mcp_config::{Environment, Layer};
/// use mcp_session::{OutputPolicy, Session};
///
/// let session = Session::builder()
///     .layers([Layer::user("/home/me/.codework/mcp.json")])
///     .home("/home/me/.codework")
///     .base("/home/me/project")
///     .environment(Environment::from_iter([("PATH", "/usr/bin:/bin")]))
///     .output_schemas(OutputPolicy::Enforce)
///     .build();
/// assert!(session.status().is_empty(), "nothing starts before the first exchange");
/// ```
#[derive(Default)]
#[must_use]
pub struct SessionBuilder {
    layers: Vec<Layer>,
    home: Option<PathBuf>,
    base: Option<PathBuf>,
    environment: Environment,
    client: Option<ClientInfo>,
    handlers: Handlers,
    initial_wait: Option<Duration>,
    wait_for_hidden: bool,
    probe_wait: Option<Duration>,
    start_limit: Option<Duration>,
    output: OutputPolicy,
    results: ResultOptions,
    plugins: Vec<Plugin>,
    plugin_failures: PluginFailures,
    names: NameTable,
    commands: Option<Commands>,
    connector: Option<Arc<dyn Connector>>,
}

impl SessionBuilder {
    /// The configuration's layers; a later one wins. Whether a layer is trusted is the layer's own
    /// property.
    pub fn layers(mut self, layers: impl IntoIterator<Item = Layer>) -> Self {
        self.layers = layers.into_iter().collect();
        self
    }

    /// The runtime's own directory, where `mcp.log` is written. Without one there is no such log.
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// The directory that relative directories of entries start from, and in which commands run:
    /// the project's. By default the process's current one.
    pub fn base(mut self, base: impl Into<PathBuf>) -> Self {
        self.base = Some(base.into());
        self
    }

    /// The host's variables: for values of entries, for commands, and the plain ones for servers.
    /// By default none, since a library reads no environment.
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// How the host introduces itself to servers.
    pub fn client_info(mut self, client: ClientInfo) -> Self {
        self.client = Some(client);
        self
    }

    /// What the host does for servers that ask: elicitation, sampling, roots.
    pub fn handlers(mut self, handlers: Handlers) -> Self {
        self.handlers = handlers;
        self
    }

    /// How long the beginning of an exchange waits for the direct servers that it starts;
    /// [`INITIAL_WAIT`] by default.
    pub fn initial_wait(mut self, wait: Duration) -> Self {
        self.initial_wait = Some(wait);
        self
    }

    /// Whether that wait is for servers too whose tools the model never sees: for a program that shows
    /// people what is configured. By default it is not.
    pub fn wait_for_hidden(mut self, wait: bool) -> Self {
        self.wait_for_hidden = wait;
        self
    }

    /// How long a server that has not been met yet may think about the newest protocol before it is
    /// asked in the older way beside it; the transport's own default otherwise.
    pub fn probe_wait(mut self, wait: Duration) -> Self {
        self.probe_wait = Some(wait);
        self
    }

    /// The longest that any server's start may take, whatever its entry says: once for the handshake,
    /// and once more for its first list. Commands in values have a limit of their own.
    pub fn start_limit(mut self, limit: Duration) -> Self {
        self.start_limit = Some(limit);
        self
    }

    /// What a mismatch with an output schema means.
    pub fn output_schemas(mut self, policy: OutputPolicy) -> Self {
        self.output = policy;
        self
    }

    /// Whether the host's model takes images; it does by default.
    pub fn images(mut self, taken: bool) -> Self {
        self.results.images = taken;
        self
    }

    /// One more plugin. Those of one domain run in the order in which they are given.
    pub fn plugin(mut self, plugin: Plugin) -> Self {
        self.plugins.push(plugin);
        self
    }

    /// What a failing plugin means.
    pub fn plugin_failures(mut self, policy: PluginFailures) -> Self {
        self.plugin_failures = policy;
        self
    }

    /// The names of an earlier session that this one resumes.
    pub fn names(mut self, names: NameTable) -> Self {
        self.names = names;
        self
    }

    /// The runner of commands in values, to be shared by all sessions of a host. By default the
    /// session has its own.
    pub fn commands(mut self, commands: Commands) -> Self {
        self.commands = Some(commands);
        self
    }

    /// What makes the connections; by default processes are started and addresses dialled.
    pub fn connector(mut self, connector: impl Connector) -> Self {
        self.connector = Some(Arc::new(connector));
        self
    }

    /// The session. Nothing is read or started yet.
    pub fn build(self) -> Session {
        let base = self.base.as_deref().unwrap_or(Path::new("."));
        // A base that cannot be made absolute does not exist either; its servers will say so.
        let base = std::path::absolute(base).unwrap_or_else(|_| base.to_owned());
        let settings = Settings {
            base: Arc::from(base),
            initial_wait: self.initial_wait.unwrap_or(INITIAL_WAIT),
            wait_for_hidden: self.wait_for_hidden,
            plugins: self.plugins,
            plugin_failures: self.plugin_failures,
            output: self.output,
            results: self.results,
        };
        let services = Services {
            connector: self.connector.unwrap_or_else(|| Arc::new(SystemConnector)),
            own_commands: self.commands.is_none(),
            commands: self
                .commands
                .unwrap_or_else(|| Commands::new(self.environment.clone())),
            client: self.client.unwrap_or_else(|| {
                ClientInfo::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
            }),
            handlers: self.handlers,
            log: self.home.map(ServerLog::new),
            probe_wait: self.probe_wait,
            start_limit: self.start_limit,
            urls: UrlGates::default(),
        };
        let inner = Inner::new(
            settings,
            services,
            digest_key(),
            (self.layers, self.environment, self.names),
        );
        Session {
            inner: Arc::new(inner),
        }
    }
}

impl std::fmt::Debug for SessionBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionBuilder")
            .field("layers", &self.layers)
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}

/// A key that lives and dies with the session, so that digests of variables mean nothing elsewhere.
/// The standard library seeds its hashers with 128 bits from the system.
fn digest_key() -> DigestKey {
    let mut hash = Sha256::new();
    for _ in 0..4 {
        hash.update(RandomState::new().build_hasher().finish().to_be_bytes());
    }
    DigestKey::new(hash.finalize().into())
}
