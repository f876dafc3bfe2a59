//! One live connection to one server: the handle that everything is asked through.
//! The requests themselves are in `method`, what carries them in `link` and `stdio`.

use std::fmt;
use std::sync::Arc;

use crate::ending::Running;
use crate::rpc::Core;
use crate::{CloseReport, DropReason, ServerInfo, Stats};

/// One connection to one server. Cloning is cheap; with the last clone everything ends at once.
///
/// ```
/// use mcp_transport::{CallOptions, Connection, Options};
/// # use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (client, server) = tokio::io::duplex(4096);
/// # let server = async move {
/// #     let (reader, mut writer) = tokio::io::split(server);
/// #     let mut lines = BufReader::new(reader).lines();
/// #     while let Ok(Some(line)) = lines.next_line().await {
/// #         let request: serde_json::Value = serde_json::from_str(&line)?;
/// #         let result = match request["method"].as_str() {
/// #             Some("server/discover") => serde_json::json!({"resultType": "complete",
/// #                 "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}),
/// #             Some("tools/call") => serde_json::json!({"resultType": "complete",
/// #                 "content": [{"type": "text", "text": "3"}]}),
/// #             _ => continue,
/// #         };
/// #         let answer = serde_json::json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
/// #         writer.write_all(format!("{answer}\n").as_bytes()).await?;
/// #     }
/// #     Ok::<(), Box<dyn std::error::Error>>(())
/// # };
/// # let client = async move {
/// let (reader, writer) = tokio::io::split(client);
/// let (connection, _events) = Connection::over(reader, writer, Options::default()).await?;
/// let arguments = serde_json::value::to_raw_value(&serde_json::json!({"a": 1, "b": 2}))?;
/// let result = connection.call_tool("add", &arguments, CallOptions::new()).await?;
/// assert_eq!(result.content(), Some(r#"[{"text":"3","type":"text"}]"#));
/// connection.close().await;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # };
/// # tokio::select! { done = client => done, _ = server => Ok(()) }
/// # }
/// ```
#[derive(Clone)]
pub struct Connection {
    inner: Arc<Inner>,
}

struct Inner {
    server: ServerInfo,
    running: Running,
}

impl Connection {
    pub(crate) fn new(server: ServerInfo, running: Running) -> Self {
        Self {
            inner: Arc::new(Inner { server, running }),
        }
    }

    /// What the server said about itself.
    pub fn server(&self) -> &ServerInfo {
        &self.inner.server
    }

    /// Whether the connection ended without us. True before the event is told.
    pub fn dropped(&self) -> bool {
        self.core().dropped().is_some()
    }

    /// Why the connection ended without us, if it did.
    pub fn drop_reason(&self) -> Option<Arc<DropReason>> {
        self.core().dropped().cloned()
    }

    /// The id of the server's process, which is that of its group; none if it is not ours.
    pub fn process_id(&self) -> Option<u32> {
        self.inner.running.process_id()
    }

    /// What was counted so far.
    pub fn stats(&self) -> Stats {
        self.core().stats()
    }

    /// Ends the connection in good order: running calls fail, the server's input ends, and its process is
    /// ended step by step. Bounded; everyone who asks gets the same report, and it goes on if the future is
    /// dropped. No [`Dropped`](crate::Event::Dropped) is told.
    pub async fn close(&self) -> CloseReport {
        self.inner.running.close().await
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.inner.running.core
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("server", &self.inner.server.name)
            .field("version", &self.inner.server.protocol_version)
            .field("dropped", &self.dropped())
            .finish_non_exhaustive()
    }
}
