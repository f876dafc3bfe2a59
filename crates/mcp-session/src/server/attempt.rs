//! One try to connect a server: its values resolved, its process started or its URL dialled, the
//! handshake, and its first listing. Dropping the future ends the try and whatever it started.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use mcp_config::{Environment, Outputs, ResolvedTransport, ServerEntry};
use mcp_transport::{
    ClientInfo, Connection, Era, Events, Handlers, Listing, RequestError, ServerLog, Tool,
};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::failure::Failure;
use super::failure_kind::FailureKind;
use super::stages::{Stage, Stages};
use crate::command::Commands;
use crate::connect::{ConnectFailure, Connector};
use crate::convert;

/// What the configuration says about a server, as an attempt needs it.
#[derive(Clone, Debug)]
pub(crate) struct ServerSpec {
    pub(crate) entry: Arc<ServerEntry>,
    pub(crate) environment: Environment,
    pub(crate) base: Arc<Path>,
}

/// What all servers of a session share.
pub(crate) struct Services {
    pub(crate) connector: Arc<dyn Connector>,
    pub(crate) commands: Commands,
    /// The commands belong to this session alone, and follow its variables.
    pub(crate) own_commands: bool,
    pub(crate) client: ClientInfo,
    pub(crate) handlers: Handlers,
    pub(crate) log: Option<ServerLog>,
    pub(crate) probe_wait: Option<Duration>,
    pub(crate) start_limit: Option<Duration>,
    pub(crate) urls: UrlGates,
}

/// A connection with its first listing.
pub(super) struct Connected {
    pub(super) connection: Connection,
    pub(super) events: Events,
    pub(super) listing: Listing<Tool>,
}

/// A failed attempt, with the connection it may have got as far as.
pub(super) struct Broken {
    pub(super) failure: Failure,
    pub(super) leftover: Option<Connection>,
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Broken {
        Broken {
            failure,
            leftover: None,
        }
    }
}

pub(super) async fn attempt(
    spec: ServerSpec,
    services: Arc<Services>,
    era: Option<Era>,
    stages: Arc<Stages>,
) -> Result<Connected, Broken> {
    stages.enter(Stage::Resolve);
    let outputs = outputs(&spec, &services.commands).await;
    let server = spec
        .entry
        .resolve(&spec.environment, &outputs, &spec.base)
        .map_err(|error| Failure::of(&error).of_kind(&error))?;
    let gate = match &server.transport {
        ResolvedTransport::Http { url, .. } => Some(services.urls.gate(url)),
        ResolvedTransport::Stdio { .. } => None,
    };
    let request = convert::request(server, &spec, &services, era)?;
    stages.enter(Stage::Connect);
    // Held through the handshake: a server that many entries name is not stormed.
    let turn = enter(gate.as_deref()).await;
    let (connection, events) = services
        .connector
        .connect(request)
        .await
        .map_err(|error| connect_failure(&error, &spec.entry))?;
    drop(turn);
    stages.enter(Stage::List);
    match first_list(&connection, services.start_limit).await {
        Ok(listing) => Ok(Connected {
            connection,
            events,
            listing,
        }),
        Err(failure) => Err(Broken {
            failure,
            leftover: Some(connection),
        }),
    }
}

/// The failure with what a person needs to mend it.
#[cfg_attr(
    not(feature = "http"),
    expect(
        unused_variables,
        reason = "only credentials have a place in the entry to tell"
    )
)]
fn connect_failure(error: &ConnectFailure, entry: &ServerEntry) -> Failure {
    let failure = Failure::of(error)
        .of_kind(error.kind())
        .with_stderr(error.stderr_tail());
    #[cfg(feature = "http")]
    if let Some(source) = error
        .refused_header()
        .and_then(|header| convert::behind_header(entry, header))
    {
        return failure.with_hint(&source);
    }
    failure
}

/// What the commands in the entry's values print; they run side by side.
async fn outputs(spec: &ServerSpec, commands: &Commands) -> Outputs {
    let wanted = spec.entry.commands();
    let runs = wanted
        .iter()
        .map(|command| commands.output(command, &spec.base));
    let results = futures_util::future::join_all(runs).await;
    wanted.iter().cloned().zip(results).collect()
}

/// The first list, within the host's limit for starts.
async fn first_list(
    connection: &Connection,
    limit: Option<Duration>,
) -> Result<Listing<Tool>, Failure> {
    let Some(limit) = limit else {
        return list(connection).await;
    };
    tokio::time::timeout(limit, list(connection))
        .await
        .unwrap_or_else(|_| {
            let message = format!("no answer to tools/list within {} s", limit.as_secs_f64());
            Err(Failure::new(message).of_kind(FailureKind::Timeout))
        })
}

/// All tools of a server. One that has no such method has none.
pub(super) async fn list(connection: &Connection) -> Result<Listing<Tool>, Failure> {
    const METHOD_NOT_FOUND: i64 = -32601;
    match connection.tools().await {
        Ok(listing) => Ok(listing),
        Err(RequestError::Server {
            code: METHOD_NOT_FOUND,
            ..
        }) => Ok(Listing::default()),
        Err(error) => Err(Failure::of(&error).of_kind(&error)),
    }
}

async fn enter(gate: Option<&Semaphore>) -> Option<SemaphorePermit<'_>> {
    // A gate is never closed, so there is no error to tell.
    gate?.acquire().await.ok()
}

/// One gate for each URL, so that start-ups to one URL follow each other.
#[derive(Debug, Default)]
pub(crate) struct UrlGates(Mutex<HashMap<String, Weak<Semaphore>>>);

impl UrlGates {
    fn gate(&self, url: &str) -> Arc<Semaphore> {
        let mut gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        gates.retain(|_, gate| gate.strong_count() > 0);
        if let Some(gate) = gates.get(url).and_then(Weak::upgrade) {
            return gate;
        }
        let gate = Arc::new(Semaphore::new(1));
        gates.insert(url.to_owned(), Arc::downgrade(&gate));
        gate
    }
}
