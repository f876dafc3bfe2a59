//! A connection over a pair of byte streams: for tests, and for servers that are not processes of ours.

use std::sync::Arc;

use std::future::poll_fn;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tracing::Instrument;

use crate::connect::{Plan, Stopped, negotiate};
use crate::ending::{Ending, Running};
use crate::event::EventQueue;
use crate::link::{Pipe, ReadEnd, read_messages};
use crate::method::start_listening;
use crate::rpc::Core;
use crate::stats::Counters;
use crate::{CloseReport, ConnectError, Connection, DropReason, Events, Options, RequestError};

impl Connection {
    /// Connects to a server at the other end of two byte streams, one message a line.
    ///
    /// Must be called inside a runtime, with time enabled. If the future is dropped, everything ends.
    pub async fn over<R, W>(
        reader: R,
        writer: W,
        options: Options,
    ) -> Result<(Self, Events), ConnectError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let span = tracing::info_span!("mcp.connect", server = options.server_name);
        connect(reader, writer, options).instrument(span).await
    }
}

async fn connect<R, W>(
    reader: R,
    writer: W,
    options: Options,
) -> Result<(Connection, Events), ConnectError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let deadline = Instant::now() + options.start_timeout;
    let plan = Plan::remembered(options.era);
    let events = Arc::new(EventQueue::default());
    let pipe = Arc::new(Pipe::new(writer));
    let link = Box::new(Arc::clone(&pipe));
    let core = Core::new(
        link,
        options,
        Arc::clone(&events),
        Arc::new(Counters::default()),
    );
    let read_end = spawn_reader(&core, reader);
    let (running, ending) = Running::new(Arc::clone(&core), None);
    core.tasks
        .spawn(supervise(Arc::clone(&core), pipe, read_end, ending));
    match negotiate(&core, plan, deadline, &String::new).await {
        Ok(server) => {
            start_listening(&core, &server).await;
            Ok((Connection::new(server, running), Events::new(events)))
        }
        Err(Stopped::Failed(error) | Stopped::Gone(error)) => Err(error),
        Err(Stopped::StartAgain(_) | Stopped::Stateless) => {
            let reason = core.dropped().cloned();
            Err(ConnectError::Request(
                reason.map_or(RequestError::Closed, |reason| RequestError::Dropped {
                    reason,
                    sent: true,
                }),
            ))
        }
    }
}

/// Starts the task that reads; its end comes through the channel.
pub(crate) fn spawn_reader<R>(core: &Arc<Core>, reader: R) -> oneshot::Receiver<ReadEnd>
where
    R: AsyncRead + Send + Unpin + 'static,
{
    let (sender, receiver) = oneshot::channel();
    let reading = Arc::clone(core);
    core.tasks.spawn(async move {
        let end = read_messages(reader, &reading).await;
        // Nobody listens any more once the connection is over.
        let _ = sender.send(end);
    });
    receiver
}

/// Waits for an end of the streams, and tells it.
async fn supervise(
    core: Arc<Core>,
    pipe: Arc<Pipe>,
    read_end: oneshot::Receiver<ReadEnd>,
    ending: Ending,
) {
    let mut read_end = read_end;
    let reason = tokio::select! {
        biased;
        () = ending.close.cancelled() => None,
        end = &mut read_end => Some(end_reason(end.unwrap_or(ReadEnd::End))),
        cause = poll_fn(|cx| pipe.poll_drain(cx)) => {
            // What the server said last may still be on its way.
            let end = tokio::time::timeout(core.options.exit_grace, read_end).await;
            Some(match end {
                Ok(end) => end_reason(end.unwrap_or(ReadEnd::End)),
                Err(_) => DropReason::Write { cause, stderr: String::new() },
            })
        }
    };
    if let Some(reason) = reason {
        core.drop_connection(reason);
    }
    core.options.flush_log().await;
    ending.report(CloseReport::default());
    // The reader may never see an end of its own.
    core.tasks.abort();
}

fn end_reason(end: ReadEnd) -> DropReason {
    match end {
        ReadEnd::End => DropReason::ClosedOutput {
            stderr: String::new(),
        },
        ReadEnd::TooLarge => DropReason::TooLarge {
            limit: crate::wire::MAX_MESSAGE,
        },
        ReadEnd::Failed(error) => DropReason::Read(error),
    }
}
