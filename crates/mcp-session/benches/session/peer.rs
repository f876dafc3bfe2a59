//! The servers, in a process of their own, so that what is measured here is the session alone: this
//! program again, which serves two sockets, one without tools and one with.

use std::io::{BufRead as _, BufReader as Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use mcp_session::{BoxFuture, ConnectFailure, ConnectRequest, Connected, Connector};
use mcp_transport::{Connection, Options};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;

/// How many tools a server has that has any.
pub(crate) const TOOLS: usize = 10;

pub(crate) const ROLE: &str = "peer";

/// Serves until the end of standard input.
pub(crate) async fn run(folder: &Path) {
    let bare = UnixListener::bind(folder.join("bare")).unwrap();
    let full = UnixListener::bind(folder.join("full")).unwrap();
    println!("ready");
    let (mut input, mut nothing) = (tokio::io::stdin(), [0]);
    tokio::select! {
        _ = input.read(&mut nothing) => {}
        () = serve_all(bare, 0) => {}
        () = serve_all(full, TOOLS) => {}
    }
}

async fn serve_all(listener: UnixListener, tools: usize) {
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        connections.spawn(serve(stream, tools));
    }
}

async fn serve(stream: UnixStream, tools: usize) {
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let request: Value = serde_json::from_str(&line).unwrap();
        if request.get("id").is_none() {
            continue;
        }
        let result = answer(&request, tools);
        let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
        let line = format!("{answer}\n");
        if writer.write_all(line.as_bytes()).await.is_err() {
            return;
        }
    }
}

fn answer(request: &Value, tools: usize) -> Value {
    match request["method"].as_str().unwrap() {
        "initialize" => {
            json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}})
        }
        "tools/list" => {
            let schema = json!({"type": "object", "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["path"]});
            let tools: Vec<Value> = (0..tools)
                .map(|number| json!({"name": format!("t{number}"), "inputSchema": schema}))
                .collect();
            json!({"tools": tools})
        }
        // A result of the discovery's shape would mean another era.
        "server/discover" => json!({}),
        _ => json!({"content": [{"type": "text", "text": "a line of text"}]}),
    }
}

/// The process with the servers; it ends with this value.
pub(crate) struct Peers {
    process: Child,
    folder: tempfile::TempDir,
}

impl Peers {
    pub(crate) fn start() -> Peers {
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new(std::env::current_exe().unwrap())
            .arg(ROLE)
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = String::new();
        let output = process.stdout.as_mut().unwrap();
        Lines::new(output).read_line(&mut ready).unwrap();
        assert_eq!(ready, "ready\n");
        Peers { process, folder }
    }

    /// The socket of servers without tools.
    pub(crate) fn bare(&self) -> PathBuf {
        self.folder.path().join("bare")
    }

    /// The socket of servers with [`TOOLS`].
    pub(crate) fn full(&self) -> PathBuf {
        self.folder.path().join("full")
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// Connects every entry to one of the sockets.
#[derive(Clone)]
pub(crate) struct Remote {
    socket: std::sync::Arc<Path>,
}

impl Remote {
    pub(crate) fn at(socket: PathBuf) -> Remote {
        Remote {
            socket: socket.into(),
        }
    }

    /// A connection without a session around it.
    pub(crate) async fn connection(&self, options: Options) -> Result<Connected, ConnectFailure> {
        let stream = UnixStream::connect(&self.socket).await.unwrap();
        let (reader, writer) = stream.into_split();
        Ok(Connection::over(reader, writer, options).await?)
    }
}

impl Connector for Remote {
    fn connect(
        &self,
        request: ConnectRequest,
    ) -> BoxFuture<'static, Result<Connected, ConnectFailure>> {
        let remote = self.clone();
        Box::pin(async move { remote.connection(request.options).await })
    }
}
