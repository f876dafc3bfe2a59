//! Connects to an endpoint, and ends the session with it.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tracing::Instrument;

use super::deprecated;
use super::end::end_session;
use super::endpoint::Endpoint;
use super::link::{HttpLink, Shared};
use super::listen::listen;
use super::spec::HttpSpec;
use crate::connect::{Plan, Stopped, negotiate};
use crate::ending::{Ending, Running};
use crate::event::EventQueue;
use crate::method::start_listening;
use crate::rpc::Core;
use crate::stats::Counters;
use crate::{CloseReport, ConnectError, Connection, Era, Events, Options, RequestError};

/// How long connecting waits for the answer to `notifications/initialized`; it needs none to go on.
const INTRODUCTION: Duration = Duration::from_secs(10);

impl Connection {
    /// Connects to a server at a URL, over Streamable HTTP, in whichever era it speaks.
    ///
    /// Must be called inside a runtime, with time and input/output enabled. If the future is dropped, everything ends.
    ///
    /// ```no_run
    /// # async fn show() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_transport::{Connection, HttpSpec, Options};
    ///
    /// let spec = HttpSpec::new("https://tools.test/mcp")?.header("Authorization", "Bearer …")?;
    /// let (connection, _events) = Connection::http(spec, Options::default()).await?;
    /// println!("{} tools", connection.tools().await?.items.len());
    /// # Ok(()) }
    /// ```
    pub async fn http(spec: HttpSpec, options: Options) -> Result<(Self, Events), ConnectError> {
        let span = tracing::info_span!("mcp.connect", server = options.server_name);
        connect(spec, options).instrument(span).await
    }
}

async fn connect(spec: HttpSpec, options: Options) -> Result<(Connection, Events), ConnectError> {
    let deadline = Instant::now() + options.start_timeout;
    let plan = Plan::remembered(options.era);
    let endpoint = Arc::new(Endpoint::new(spec)?);
    let link = Arc::new(HttpLink::new(Arc::clone(&endpoint)));
    let events = Arc::new(EventQueue::default());
    let core = Core::new(
        Box::new(Shared(Arc::clone(&link))),
        options,
        Arc::clone(&events),
        Arc::new(Counters::default()),
    );
    link.attach(&core);
    let (running, ending) = Running::new(Arc::clone(&core), None);
    core.tasks
        .spawn(supervise(Arc::clone(&core), Arc::clone(&endpoint), ending));
    match negotiate(&core, plan, deadline, &String::new).await {
        Ok(server) => {
            start_listening(&core, &server).await;
            if server.era == Era::Initialize {
                // Each message is a request of its own, and one that overtakes this may be refused.
                let patience = deadline.min(Instant::now() + INTRODUCTION);
                let _ = timeout_at(patience, link.introduced.cancelled()).await;
                core.tasks.spawn(listen(endpoint, Arc::clone(&core)));
            }
            Ok((Connection::new(server, running), Events::new(events)))
        }
        Err(stopped) => {
            let error = error(stopped);
            // A session that was begun is ended, even though nobody got to use it.
            running.close().await;
            if deprecated::may_be_meant(&error) && deprecated::is_spoken(&endpoint).await {
                return Err(ConnectError::DeprecatedTransport);
            }
            Err(error)
        }
    }
}

fn error(stopped: Stopped) -> ConnectError {
    match stopped {
        Stopped::Failed(error) | Stopped::Gone(error) => error,
        Stopped::StartAgain(_) | Stopped::Stateless => ConnectError::Request(RequestError::Closed),
    }
}

/// Waits for the end, and tells the server.
async fn supervise(core: Arc<Core>, endpoint: Arc<Endpoint>, ending: Ending) {
    ending.close.cancelled().await;
    end_session(&core, &endpoint).await;
    core.options.flush_log().await;
    ending.report(CloseReport::default());
}
