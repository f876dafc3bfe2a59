//! What the tests of the connection share: the server's end of an in-memory pair, played by hand.

#![allow(dead_code, reason = "each test file uses its own part")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests fail by panicking"
)]

use std::time::Duration;

use mcp_transport::{
    ConnectError, Connection, Era, Event, Events, LogEntry, Options, ProtocolVersion,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;

/// The server's end.
pub(crate) struct Peer {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
}

/// A connection that is being made.
pub(crate) type Connecting = JoinHandle<Result<(Connection, Events), ConnectError>>;

/// Starts a task whose handle the test keeps.
#[expect(
    clippy::disallowed_methods,
    reason = "the handle is the owner, and the runtime is the test's"
)]
pub(crate) fn spawn<F>(task: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    tokio::task::spawn(task)
}

/// Begins to connect over a pair that holds `capacity` bytes in each direction.
pub(crate) fn connecting(options: Options, capacity: usize) -> (Connecting, Peer) {
    let (client, server) = tokio::io::duplex(capacity);
    let (reader, writer) = tokio::io::split(client);
    let connecting = spawn(Connection::over(reader, writer, options));
    let (reader, writer) = tokio::io::split(server);
    (
        connecting,
        Peer {
            lines: BufReader::new(reader).lines(),
            writer,
        },
    )
}

/// A connection of the newest `initialize` revision to a server that declares these capabilities.
pub(crate) async fn connected_with(
    options: Options,
    capabilities: Value,
    capacity: usize,
) -> (Connection, Events, Peer) {
    let (connecting, mut peer) = connecting(options.era(Some(Era::Initialize)), capacity);
    let request = peer.expect("initialize").await;
    let version = ProtocolVersion::LATEST_INITIALIZE.as_str();
    peer.result(&request, initialized(version, &capabilities))
        .await;
    peer.expect("notifications/initialized").await;
    let (connection, events) = connecting.await.unwrap().unwrap();
    (connection, events, peer)
}

/// The same, with tools, resources and prompts.
pub(crate) async fn connected(options: Options) -> (Connection, Events, Peer) {
    let all = json!({ "tools": {}, "resources": {}, "prompts": {}, "logging": {} });
    connected_with(options, all, 1 << 20).await
}

/// A connection of the stateless revision.
pub(crate) async fn stateless(options: Options, capabilities: Value) -> (Connection, Events, Peer) {
    let (connecting, mut peer) = connecting(options, 1 << 20);
    let request = peer.expect("server/discover").await;
    peer.result(&request, discovered(&["2026-07-28"], &capabilities))
        .await;
    let (connection, events) = connecting.await.unwrap().unwrap();
    (connection, events, peer)
}

/// The result of `initialize`.
pub(crate) fn initialized(version: &str, capabilities: &Value) -> Value {
    json!({ "protocolVersion": version, "capabilities": capabilities,
        "serverInfo": { "name": "peer", "version": "1.0.0" } })
}

/// The result of `server/discover`.
pub(crate) fn discovered(versions: &[&str], capabilities: &Value) -> Value {
    json!({ "resultType": "complete", "supportedVersions": versions, "capabilities": capabilities,
        "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "peer", "version": "1.0.0" } } })
}

impl Peer {
    /// The next message of the client.
    pub(crate) async fn next(&mut self) -> Value {
        let line = self
            .lines
            .next_line()
            .await
            .unwrap()
            .expect("the client ended");
        serde_json::from_str(&line).expect("the client sends JSON")
    }

    /// The next line, whatever it is; none at the end.
    pub(crate) async fn raw_line(&mut self) -> Option<String> {
        self.lines.next_line().await.unwrap()
    }

    /// The next message, which has this method.
    pub(crate) async fn expect(&mut self, method: &str) -> Value {
        let message = self.next().await;
        assert_eq!(message["method"], method, "{message}");
        message
    }

    /// Nothing more comes from the client, which has ended.
    pub(crate) async fn ended(&mut self) -> bool {
        matches!(self.lines.next_line().await, Ok(None))
    }

    /// Nothing comes for a while of (paused) time.
    pub(crate) async fn silent(&mut self, time: Duration) {
        let next = tokio::time::timeout(time, self.lines.next_line()).await;
        assert!(next.is_err(), "{next:?}");
    }

    /// Sends one line.
    pub(crate) async fn line(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes()).await;
    }

    pub(crate) async fn bytes(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).await.unwrap();
    }

    pub(crate) async fn message(&mut self, message: Value) {
        self.line(&message.to_string()).await;
    }

    pub(crate) async fn result(&mut self, request: &Value, result: Value) {
        self.message(json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }))
            .await;
    }

    pub(crate) async fn error(&mut self, request: &Value, error: Value) {
        self.message(json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }))
            .await;
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.message(json!({ "jsonrpc": "2.0", "method": method, "params": params }))
            .await;
    }

    /// Ends the server's output, as an exit would.
    pub(crate) async fn end(&mut self) {
        self.writer.shutdown().await.unwrap();
    }
}

/// JSON text as a raw value.
pub(crate) fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).unwrap()
}

/// Begins a call of the tool `work`.
pub(crate) fn call(connection: &Connection) -> JoinHandle<CallOutcome> {
    call_with(connection, mcp_transport::CallOptions::new())
}

pub(crate) type CallOutcome = Result<mcp_transport::CallResult, mcp_transport::RequestError>;

pub(crate) fn call_with(
    connection: &Connection,
    options: mcp_transport::CallOptions,
) -> JoinHandle<CallOutcome> {
    let connection = connection.clone();
    spawn(async move { connection.call_tool("work", &raw("{}"), options).await })
}

/// A result with one text.
pub(crate) fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

/// The text of a result made by [`text`].
pub(crate) fn text_of(outcome: CallOutcome) -> String {
    let result = outcome.unwrap();
    let part: Value = serde_json::from_str(result.parts()[0].get()).unwrap();
    part["text"].as_str().unwrap().to_owned()
}

/// The log entries that were told so far.
pub(crate) fn logs(events: &mut Events) -> Vec<LogEntry> {
    let mut logs = Vec::new();
    while let Some(event) = events.try_recv() {
        if let Event::Log(entry) = event {
            logs.push(entry);
        }
    }
    logs
}
