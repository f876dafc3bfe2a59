//! A server's process as rmcp sees it: something that takes messages, gives messages, and ends.

use std::future::{Future, poll_fn};
use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::incoming::Message;
use super::pending::Pending;
use super::read::{Reader, drain};
use crate::Mask;
use crate::link::{Kind, Link, Outbound, Pipe, Refused};
use crate::process::{Ladder, ProcessGroup, ProcessSpec, SpawnError};
use crate::stdio::tail::Tail;
use crate::wire::MAX_MESSAGE;

/// Messages that rmcp has not asked for yet; then the server waits.
const WAITING: usize = 64;

/// A server's process as a transport of rmcp's client.
///
/// What it adds to rmcp's own: the process leads a group that is ended as a whole, also when this
/// program dies; the environment is exactly the one given; noise on the output is skipped; messages
/// are bounded; a request whose answer cannot come fails at once, with the exit status and the end
/// of standard error; and no blocked pipe holds up the end.
///
/// ```
/// use mcp_transport::process::ProcessSpec;
/// use mcp_transport::{Mask, StdioTransport};
/// use rmcp::ServiceExt;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let script = r#"read -r line; echo '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"demo","version":"1"}}}'; cat >/dev/null"#;
/// let spec = ProcessSpec::new("sh", "/").args(["-c", script]).env([("PATH", "/usr/bin:/bin")]);
/// let client = ().serve(StdioTransport::spawn(&spec, Mask::default())?).await?;
/// assert!(client.peer_info().is_some());
/// client.cancel().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct StdioTransport {
    pipe: Arc<Pipe>,
    group: Arc<ProcessGroup>,
    pending: Arc<Pending>,
    incoming: mpsc::Receiver<Message>,
    /// Reading and writing end with the transport.
    _tasks: JoinSet<()>,
}

/// Why a message did not go out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StdioSendError {
    /// The message is larger than any that is sent.
    #[error("message of {size} bytes is larger than {} MiB", MAX_MESSAGE / (1024 * 1024))]
    TooLarge {
        /// Its size.
        size: usize,
    },
    /// The message cannot be written as JSON.
    #[error("message cannot be written as JSON")]
    Json(#[source] serde_json::Error),
    /// The server takes no more messages.
    #[error("the server takes no more input")]
    Closed,
}

impl StdioTransport {
    /// Starts a server. The values of the mask are hidden in what is told of its standard error.
    pub fn spawn(spec: &ProcessSpec, mask: Mask) -> Result<Self, SpawnError> {
        let (group, pipes) = ProcessGroup::spawn(spec)?;
        let Some(stdin) = pipes.stdin else {
            return Err(SpawnError::InvalidInput {
                what: String::from("the standard input of a server"),
                why: "has to be a pipe",
            });
        };
        let (group, pipe) = (Arc::new(group), Arc::new(Pipe::new(stdin)));
        let (pending, tail) = (Arc::<Pending>::default(), Arc::new(Tail::new(mask)));
        let (sender, incoming) = mpsc::channel(WAITING);
        let mut tasks = JoinSet::new();
        tasks.spawn(drain(pipes.stderr, Arc::clone(&tail)));
        let reader = Reader {
            group: Arc::clone(&group),
            pending: Arc::clone(&pending),
            tail,
            sender,
        };
        tasks.spawn(reader.run(pipes.stdout));
        let writing = Arc::clone(&pipe);
        tasks.spawn(async move {
            // What ends the writing ends the reading as well, which tells it.
            let error = poll_fn(|cx| writing.poll_drain(cx)).await;
            tracing::debug!(%error, "the server takes no more input");
        });
        Ok(Self {
            pipe,
            group,
            pending,
            incoming,
            _tasks: tasks,
        })
    }
}

impl Transport<RoleClient> for StdioTransport {
    type Error = StdioSendError;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let pipe = Arc::clone(&self.pipe);
        let pending = Arc::clone(&self.pending);
        async move {
            let text = serde_json::to_vec(&item).map_err(StdioSendError::Json)?;
            if text.len() > MAX_MESSAGE {
                return Err(StdioSendError::TooLarge { size: text.len() });
            }
            if let TxJsonRpcMessage::<RoleClient>::Request(request) = &item {
                pending.add(request.id.clone());
            }
            write(&pipe, text).await
        }
    }

    async fn receive(&mut self) -> Option<Message> {
        self.incoming.recv().await
    }

    /// Ends the server's input, and the server step by step: bounded, whatever the pipes do.
    async fn close(&mut self) -> Result<(), Self::Error> {
        self.pipe.close();
        self.group.terminate(Ladder::default()).await;
        Ok(())
    }
}

/// The tasks hold the group as well, and may never run again to let go of it.
impl Drop for StdioTransport {
    fn drop(&mut self) {
        self.group.kill();
    }
}

async fn write(pipe: &Pipe, text: Vec<u8>) -> Result<(), StdioSendError> {
    // Nothing here is ever given up, so one id serves for all.
    let kind = Kind::Request {
        id: 0,
        method: "",
        name: None,
    };
    let mut message = Outbound {
        text,
        kind,
        gather: false,
    };
    loop {
        match pipe.send(message) {
            Ok(()) => return Ok(()),
            Err(Refused::Closed) => return Err(StdioSendError::Closed),
            Err(Refused::Full(back)) => message = back,
        }
        poll_fn(|cx| pipe.poll_room(cx)).await;
    }
}
