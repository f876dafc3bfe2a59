//! Starts a server and shakes hands with it; once more if it did not survive the first question.

use std::iter;
use std::sync::Arc;

use tokio::time::{Instant, timeout};
use tracing::Instrument;

use super::stderr;
use super::supervise::{FAILED, Supervisor};
use super::tail::Tail;
use crate::connect::{Plan, Stopped, negotiate};
use crate::ending::Running;
use crate::event::EventQueue;
use crate::link::Pipe;
use crate::method::start_listening;
use crate::over::spawn_reader;
use crate::process::{ProcessGroup, ProcessSpec, SpawnError};
use crate::rpc::Core;
use crate::stats::Counters;
use crate::{
    ConnectError, Connection, Event, Events, LogSource, Options, ProtocolVersion, RequestError,
};

impl Connection {
    /// Starts a server as a process in a group of its own, and connects to it.
    ///
    /// Must be called inside a runtime, with time and input/output enabled. If the future is dropped, the
    /// process and its group are killed.
    pub async fn stdio(
        spec: ProcessSpec,
        options: Options,
    ) -> Result<(Self, Events), ConnectError> {
        let span = tracing::info_span!("mcp.connect", server = options.server_name);
        Start::new(spec, options).connect().instrument(span).await
    }
}

/// One start, of one or two processes.
struct Start {
    spec: ProcessSpec,
    options: Options,
    deadline: Instant,
    events: Arc<EventQueue>,
    counters: Arc<Counters>,
}

impl Start {
    fn new(spec: ProcessSpec, options: Options) -> Self {
        Self {
            deadline: Instant::now() + options.start_timeout,
            events: Arc::new(EventQueue::default()),
            counters: Arc::new(Counters::default()),
            spec,
            options,
        }
    }

    async fn connect(self) -> Result<(Connection, Events), ConnectError> {
        let first = Plan::remembered(self.options.era);
        let (error, again) = match self.attempt(first).await? {
            Ok(connection) => return Ok((connection, Events::new(self.events))),
            Err(Stopped::StartAgain(version)) => (None, version),
            // A server that does not survive the probe gets a second life without it.
            Err(Stopped::Gone(error)) if first == Plan::Probe => {
                (Some(error), ProtocolVersion::LATEST_INITIALIZE)
            }
            Err(stopped) => return Err(self.error(stopped)),
        };
        tracing::debug!(error = error.map(display), "starting the server again");
        match self.attempt(Plan::Initialize(again)).await? {
            Ok(connection) => Ok((connection, Events::new(self.events))),
            Err(stopped) => Err(self.error(stopped)),
        }
    }

    /// Starts a process and shakes hands. The outer error is that of the start.
    async fn attempt(&self, plan: Plan) -> Result<Result<Connection, Stopped>, SpawnError> {
        let (group, mut pipes) = ProcessGroup::spawn(&self.spec)?;
        let Some(stdin) = pipes.stdin.take() else {
            let what = "the standard input of a server".to_owned();
            return Err(SpawnError::InvalidInput {
                what,
                why: "has to be a pipe",
            });
        };
        let group = Arc::new(group);
        let pipe = Arc::new(Pipe::new(stdin));
        let link = Box::new(Arc::clone(&pipe));
        let (events, counters) = (Arc::clone(&self.events), Arc::clone(&self.counters));
        let core = Core::new(link, self.options.clone(), events, counters);
        let tail = Arc::new(Tail::new(self.options.mask.clone()));
        let process = Box::new(Arc::clone(&group));
        let (running, ending) = Running::new(Arc::clone(&core), Some(process));
        core.tasks.spawn(stderr::drain(
            pipes.stderr,
            Arc::clone(&tail),
            Arc::clone(&core),
        ));
        let read_end = spawn_reader(&core, pipes.stdout);
        let supervisor = Supervisor {
            core: Arc::clone(&core),
            pipe,
            group,
            tail: Arc::clone(&tail),
            ending,
        };
        core.tasks.spawn(supervisor.run(read_end));
        let stderr = move || tail.text();
        match negotiate(&core, plan, self.deadline, &stderr).await {
            Ok(server) => {
                start_listening(&core, &server).await;
                Ok(Ok(Connection::new(server, running)))
            }
            Err(stopped) => {
                // What is still there after the short ladder is killed with the last handle.
                let _ = timeout(FAILED.grace + FAILED.term, running.close()).await;
                self.options.flush_log().await;
                Ok(Err(stopped))
            }
        }
    }

    fn error(&self, stopped: Stopped) -> ConnectError {
        match stopped {
            Stopped::Gone(ConnectError::Exited {
                status,
                phase,
                stderr,
                ..
            }) => {
                let hint = status
                    .and_then(|status| self.spec.explain_exit(status))
                    .or_else(|| self.noise());
                ConnectError::Exited {
                    status,
                    phase,
                    stderr,
                    hint,
                }
            }
            Stopped::Failed(ConnectError::Timeout {
                after,
                phase,
                mut notes,
                stderr,
            }) => {
                notes.extend(self.noise());
                ConnectError::Timeout {
                    after,
                    phase,
                    notes,
                    stderr,
                }
            }
            Stopped::Failed(error) | Stopped::Gone(error) => error,
            Stopped::StartAgain(_) | Stopped::Stateless => {
                ConnectError::Request(RequestError::Closed)
            }
        }
    }

    /// What a program that is no server printed, such as how to use it. Nobody else reads these events any more.
    fn noise(&self) -> Option<String> {
        let line = iter::from_fn(|| self.events.take()).find_map(|event| match event {
            Event::Log(entry) if entry.source == LogSource::Stdout => Some(entry.data),
            _ => None,
        })?;
        Some(format!(
            "a line on stdout was no message: {}",
            line.trim_end()
        ))
    }
}
