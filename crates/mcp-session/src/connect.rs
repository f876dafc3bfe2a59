//! The seam between a resolved server and a live connection. A host may replace it, to serve some
//! servers from its own process; tests do.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

#[cfg(feature = "stdio")]
use mcp_transport::process::ProcessSpec;
use mcp_transport::{ConnectError, Connection, Events, Options};
#[cfg(feature = "http")]
use mcp_transport::{HttpSpec, RequestError};

use crate::server::FailureKind;

/// A future that a trait object returns.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Makes connections. Dropping the future must end the attempt and whatever it started.
///
/// ```
/// use mcp_session::{BoxFuture, ConnectFailure, ConnectRequest, Connected, Connector, SystemConnector};
/// use mcp_transport::Connection;
///
/// /// Serves the entry named `notes` from this process, and leaves the others to the system.
/// struct WithNotes;
///
/// impl Connector for WithNotes {
///     fn connect(&self, request: ConnectRequest) -> BoxFuture<'static, Result<Connected, ConnectFailure>> {
///         if &*request.server != "notes" {
///             return SystemConnector.connect(request);
///         }
///         Box::pin(async move {
///             let (near, far) = tokio::io::duplex(64 * 1024);
///             // … a task of the host serves `far` …
///             # drop(far);
///             let (reader, writer) = tokio::io::split(near);
///             Ok(Connection::over(reader, writer, request.options).await?)
///         })
///     }
/// }
/// ```
pub trait Connector: Send + Sync + 'static {
    /// Connects one server, handshake included.
    fn connect(
        &self,
        request: ConnectRequest,
    ) -> BoxFuture<'static, Result<Connected, ConnectFailure>>;
}

/// A connection and its events.
pub type Connected = (Connection, Events);

/// What to connect.
#[derive(Debug)]
#[non_exhaustive]
pub struct ConnectRequest {
    /// The server's name in the configuration.
    pub server: Arc<str>,
    /// Where it is.
    pub target: Target,
    /// Names, limits, what to mask, and the era of an earlier connection.
    pub options: Options,
}

impl ConnectRequest {
    pub(crate) fn new(server: Arc<str>, target: Target, options: Options) -> ConnectRequest {
        ConnectRequest {
            server,
            target,
            options,
        }
    }
}

/// Where a server is, with every value resolved: a kind for each of the features `stdio` and `http`.
#[derive(Debug)]
#[non_exhaustive]
pub enum Target {
    /// A process to start.
    #[cfg(feature = "stdio")]
    Stdio(ProcessSpec),
    /// An endpoint to dial.
    #[cfg(feature = "http")]
    Http(Box<HttpSpec>),
}

/// Starts processes and dials addresses.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemConnector;

impl Connector for SystemConnector {
    fn connect(
        &self,
        request: ConnectRequest,
    ) -> BoxFuture<'static, Result<Connected, ConnectFailure>> {
        Box::pin(async move {
            match request.target {
                #[cfg(feature = "stdio")]
                Target::Stdio(spec) => Ok(Connection::stdio(spec, request.options).await?),
                #[cfg(feature = "http")]
                Target::Http(spec) => Ok(Connection::http(*spec, request.options).await?),
            }
        })
    }
}

/// Why a connector could not connect: the transport's error, or a host's own.
#[derive(Debug)]
pub struct ConnectFailure(Reason);

#[derive(Debug)]
enum Reason {
    Transport(Box<ConnectError>),
    Host(String),
}

impl ConnectFailure {
    /// A host's own reason, in one line.
    pub fn new(message: impl Into<String>) -> ConnectFailure {
        ConnectFailure(Reason::Host(message.into()))
    }

    pub(crate) fn kind(&self) -> FailureKind {
        match &self.0 {
            Reason::Transport(error) => (&**error).into(),
            Reason::Host(_) => FailureKind::Other,
        }
    }

    /// The last lines of a process's standard error.
    pub(crate) fn stderr_tail(&self) -> Option<&str> {
        match &self.0 {
            Reason::Transport(error) => error.stderr_tail(),
            Reason::Host(_) => None,
        }
    }
}

impl ConnectFailure {
    /// The configured header whose credential the server refused.
    #[cfg(feature = "http")]
    pub(crate) fn refused_header(&self) -> Option<&str> {
        match &self.0 {
            Reason::Transport(error) => match &**error {
                ConnectError::Request(RequestError::NeedsAuth { refusal, .. }) => {
                    refusal.header.as_deref()
                }
                _ => None,
            },
            Reason::Host(_) => None,
        }
    }
}

impl From<ConnectError> for ConnectFailure {
    fn from(error: ConnectError) -> ConnectFailure {
        ConnectFailure(Reason::Transport(Box::new(error)))
    }
}

impl fmt::Display for ConnectFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::Transport(error) => error.fmt(f),
            Reason::Host(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ConnectFailure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Reason::Transport(error) => error.source(),
            Reason::Host(_) => None,
        }
    }
}
