//! The server's end of an in-memory pair, which answers each request with whatever a target makes up.

use mcp_transport::{ConnectError, Connection, Era, Events, Options};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

/// Enough for what one target writes, so that nobody waits for room.
const CAPACITY: usize = 1 << 20;

/// A request as the server sees it.
pub(crate) struct Request {
    /// As JSON text.
    pub(crate) id: String,
    pub(crate) method: String,
}

impl Request {
    /// The answer with this result, as a line.
    pub(crate) fn result(&self, json: &str) -> Vec<u8> {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{json}}}\n",
            self.id
        )
        .into_bytes()
    }

    /// The answer to a handshake, by which the server has everything.
    pub(crate) fn handshake(&self) -> Option<Vec<u8>> {
        const ALL: &str =
            r#"{"tools":{},"resources":{},"prompts":{},"completions":{},"logging":{}}"#;
        match self.method.as_str() {
            "initialize" => Some(self.result(&format!(
                r#"{{"protocolVersion":"2025-11-25","capabilities":{ALL},"serverInfo":{{"name":"s","version":"1"}}}}"#
            ))),
            "server/discover" => Some(self.result(&format!(
                r#"{{"supportedVersions":["2026-07-28"],"capabilities":{ALL},"resultType":"complete"}}"#
            ))),
            _ => None,
        }
    }
}

/// Runs a future on a clock that is paused: what waits in vain waits no time.
pub(crate) fn paused<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    runtime.expect("a runtime can be made").block_on(future)
}

/// Connects to a server that writes what `answer` says, in pieces of this size.
#[expect(
    clippy::disallowed_methods,
    reason = "the runtime of the target owns the task, and ends it"
)]
pub(crate) async fn connect<F>(
    era: Era,
    piece: usize,
    answer: F,
) -> Result<(Connection, Events), ConnectError>
where
    F: FnMut(&Request) -> Vec<u8> + Send + 'static,
{
    let (client, server) = tokio::io::duplex(CAPACITY);
    let (reader, writer) = tokio::io::split(client);
    drop(tokio::task::spawn(serve(server, piece, answer)));
    Connection::over(reader, writer, Options::default().era(Some(era))).await
}

async fn serve<F: FnMut(&Request) -> Vec<u8>>(stream: DuplexStream, piece: usize, mut answer: F) {
    let (reader, mut writer) = tokio::io::split(stream);
    let mut lines = BufReader::new(reader).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let message: Value = serde_json::from_str(&line).expect("what we send is JSON");
        let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) else {
            continue;
        };
        let request = Request {
            id: id.to_string(),
            method: method.to_owned(),
        };
        for piece in answer(&request).chunks(piece) {
            // It fails once the connection is dropped.
            let _ = writer.write_all(piece).await;
            tokio::task::yield_now().await;
        }
    }
}

/// Empty arguments of a call.
pub(crate) fn no_arguments() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).expect("an object is JSON")
}
