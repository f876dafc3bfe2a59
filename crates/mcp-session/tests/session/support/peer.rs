//! Scripted servers: what each attempt to connect meets, which tools there are, what a call does.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use mcp_session::{BoxFuture, ConnectFailure, ConnectRequest, Connected, Connector};
use mcp_transport::Connection;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// What an attempt to connect meets.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    /// A server that answers.
    Answer,
    /// An attempt that fails at once.
    Fail(&'static str),
    /// A server that accepts and stays silent.
    Silent,
    /// A server that answers once the gate is open.
    Gate(Arc<Notify>),
    /// A connector that panics.
    Panic,
    /// A server whose connection ends right after the handshake.
    EndAfterHandshake,
}

#[derive(Debug, Default)]
struct Script {
    /// What the next attempts meet; afterwards each is answered.
    plans: VecDeque<Plan>,
    tools: Vec<Value>,
    /// Tool name to result object, or `{"error": …}`.
    answers: HashMap<String, Value>,
    /// Each listing waits for a permit of this gate.
    list_gate: Option<Arc<Notify>>,
    /// Says `list_changed` after each listing.
    restless: bool,
    attempts: usize,
    connections: Vec<Live>,
    calls: Vec<(usize, String, Value)>,
    listings: usize,
    /// Messages of any kind that it received.
    received: usize,
    cancelled: usize,
}

#[derive(Debug, Clone)]
struct Live {
    /// Ends the connection from the server's side.
    crash: CancellationToken,
    /// What the server says on its own.
    say: tokio::sync::mpsc::UnboundedSender<Value>,
    /// The client's side is gone.
    ended: CancellationToken,
}

/// All scripted servers of a test, by the names of their entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fleet(Arc<Mutex<HashMap<String, Script>>>);

impl Fleet {
    fn servers(&self) -> MutexGuard<'_, HashMap<String, Script>> {
        self.0.lock().unwrap()
    }

    fn with<T>(&self, server: &str, act: impl FnOnce(&mut Script) -> T) -> T {
        act(self.servers().entry(server.to_owned()).or_default())
    }

    /// The server's tools; each with a schema that takes any object.
    pub(crate) fn tools(&self, server: &str, names: &[&str]) -> &Fleet {
        let tools = names
            .iter()
            .map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
        self.raw_tools(server, tools.collect())
    }

    pub(crate) fn raw_tools(&self, server: &str, tools: Vec<Value>) -> &Fleet {
        self.with(server, |script| script.tools = tools);
        self
    }

    /// What the next attempts meet.
    pub(crate) fn plan(&self, server: &str, plans: impl IntoIterator<Item = Plan>) -> &Fleet {
        self.with(server, |script| script.plans.extend(plans));
        self
    }

    /// What a call of the tool is answered with; a tool without one answers its arguments as text.
    pub(crate) fn answer(&self, server: &str, tool: &str, answer: Value) -> &Fleet {
        self.with(server, |script| {
            script.answers.insert(tool.to_owned(), answer)
        });
        self
    }

    pub(crate) fn list_gate(&self, server: &str, gate: Option<Arc<Notify>>) {
        self.with(server, |script| script.list_gate = gate);
    }

    pub(crate) fn restless(&self, server: &str) {
        self.with(server, |script| script.restless = true);
    }

    /// Ends the newest connection from the server's side.
    pub(crate) fn crash(&self, server: &str) {
        self.with(server, |script| {
            script.connections.last().unwrap().crash.cancel();
        });
    }

    /// The same where there may be none yet.
    pub(crate) fn try_crash(&self, server: &str) {
        self.with(server, |script| {
            if let Some(live) = script.connections.last() {
                live.crash.cancel();
            }
        });
    }

    /// Says that the tools changed, where there is somebody to hear it.
    pub(crate) fn try_list_changed(&self, server: &str) {
        let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
        self.with(server, |script| {
            if let Some(live) = script.connections.last() {
                // A connection that has ended hears nothing.
                drop(live.say.send(changed));
            }
        });
    }

    /// Says something on the newest connection.
    pub(crate) fn say(&self, server: &str, message: Value) {
        self.with(server, |script| {
            script
                .connections
                .last()
                .unwrap()
                .say
                .send(message)
                .unwrap();
        });
    }

    pub(crate) fn list_changed(&self, server: &str) {
        self.say(
            server,
            json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}),
        );
    }

    pub(crate) fn attempts(&self, server: &str) -> usize {
        self.with(server, |script| script.attempts)
    }

    pub(crate) fn listings(&self, server: &str) -> usize {
        self.with(server, |script| script.listings)
    }

    pub(crate) fn received(&self, server: &str) -> usize {
        self.with(server, |script| script.received)
    }

    /// How many of its requests the server was told to give up.
    pub(crate) fn cancelled(&self, server: &str) -> usize {
        self.with(server, |script| script.cancelled)
    }

    /// The calls that reached the server: on which of its connections, which tool, which arguments.
    pub(crate) fn calls(&self, server: &str) -> Vec<(usize, String, Value)> {
        self.with(server, |script| script.calls.clone())
    }

    /// Connections whose client side is still there.
    pub(crate) fn open_connections(&self, server: &str) -> usize {
        self.with(server, |script| {
            script
                .connections
                .iter()
                .filter(|live| !live.ended.is_cancelled())
                .count()
        })
    }

    /// Waits until the client's side of a connection is gone; the first one is number 0.
    pub(crate) async fn ended(&self, server: &str, number: usize) {
        let live = self.with(server, |script| script.connections[number].clone());
        live.ended.cancelled().await;
    }

    pub(crate) async fn all_ended(&self, server: &str) {
        let connections = self.with(server, |script| script.connections.clone());
        for live in connections {
            live.ended.cancelled().await;
        }
    }
}

impl Connector for Fleet {
    fn connect(
        &self,
        request: ConnectRequest,
    ) -> BoxFuture<'static, Result<Connected, ConnectFailure>> {
        let fleet = self.clone();
        Box::pin(async move {
            let server = request.server.to_string();
            let plan = fleet.with(&server, |script| {
                script.attempts += 1;
                script.plans.pop_front().unwrap_or(Plan::Answer)
            });
            match &plan {
                Plan::Fail(message) => return Err(ConnectFailure::new(*message)),
                Plan::Panic => panic!("a connector's fault, on purpose"),
                Plan::Gate(gate) => gate.notified().await,
                Plan::Answer | Plan::Silent | Plan::EndAfterHandshake => {}
            }
            let (near, far) = tokio::io::duplex(1 << 20);
            fleet.serve(server, far, plan);
            let (reader, writer) = tokio::io::split(near);
            Ok(Connection::over(reader, writer, request.options).await?)
        })
    }
}

impl Fleet {
    #[expect(
        clippy::disallowed_methods,
        reason = "a scripted server ends with its pipe"
    )]
    fn serve(&self, server: String, pipe: DuplexStream, plan: Plan) {
        let (say, said) = tokio::sync::mpsc::unbounded_channel();
        let live = Live {
            crash: CancellationToken::new(),
            say,
            ended: CancellationToken::new(),
        };
        let number = self.with(&server, |script| {
            script.connections.push(live.clone());
            script.connections.len()
        });
        let peer = Peer {
            fleet: self.clone(),
            server,
            number,
            plan,
        };
        tokio::spawn(async move {
            let _ended = live.ended.clone().drop_guard();
            tokio::select! {
                () = live.crash.cancelled() => {}
                () = peer.run(pipe, said) => {}
            }
        });
    }
}

struct Peer {
    fleet: Fleet,
    server: String,
    number: usize,
    plan: Plan,
}

impl Peer {
    async fn run(self, pipe: DuplexStream, mut said: tokio::sync::mpsc::UnboundedReceiver<Value>) {
        let (reader, mut writer) = tokio::io::split(pipe);
        let mut lines = BufReader::new(reader).lines();
        let peer = Arc::new(self);
        let mut answers = tokio::task::JoinSet::new();
        loop {
            let message = tokio::select! {
                line = lines.next_line() => match line {
                    Ok(Some(line)) => {
                        let message: Value = serde_json::from_str(&line).unwrap();
                        peer.fleet.with(&peer.server, |script| script.received += 1);
                        if message["method"] == "notifications/cancelled" {
                            peer.fleet.with(&peer.server, |script| script.cancelled += 1);
                        }
                        if message.get("id").is_some() && !matches!(peer.plan, Plan::Silent) {
                            let peer = Arc::clone(&peer);
                            answers.spawn(async move { peer.answer(message).await });
                        }
                        continue;
                    }
                    _ => return,
                },
                Some(message) = said.recv() => vec![message],
                Some(answer) = answers.join_next(), if !answers.is_empty() => match answer.unwrap() {
                    Some(messages) => messages,
                    None => return,
                },
            };
            for message in message {
                if writer
                    .write_all(format!("{message}\n").as_bytes())
                    .await
                    .is_err()
                {
                    return;
                }
            }
        }
    }

    /// The messages that answer a request; nothing where the server ends instead.
    async fn answer(&self, request: Value) -> Option<Vec<Value>> {
        let id = &request["id"];
        let params = &request["params"];
        let result = match request["method"].as_str().unwrap() {
            "initialize" => json!({
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {"listChanged": true}},
                "serverInfo": {"name": "scripted", "version": "1"},
            }),
            "tools/list" => return self.list(id).await,
            "tools/call" => return self.call(id, params).await,
            "ping" => json!({}),
            _ => {
                return Some(vec![
                    json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "unknown"}}),
                ]);
            }
        };
        Some(vec![json!({"jsonrpc": "2.0", "id": id, "result": result})])
    }

    async fn list(&self, id: &Value) -> Option<Vec<Value>> {
        if matches!(self.plan, Plan::EndAfterHandshake) {
            return None;
        }
        let (gate, tools, restless) = self.fleet.with(&self.server, |script| {
            script.listings += 1;
            (
                script.list_gate.clone(),
                script.tools.clone(),
                script.restless,
            )
        });
        if let Some(gate) = gate {
            gate.notified().await;
        }
        let mut messages = vec![json!({"jsonrpc": "2.0", "id": id, "result": {"tools": tools}})];
        if restless {
            messages.push(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
        }
        Some(messages)
    }

    async fn call(&self, id: &Value, params: &Value) -> Option<Vec<Value>> {
        let tool = params["name"].as_str().unwrap().to_owned();
        let arguments = params["arguments"].clone();
        let answer = self.fleet.with(&self.server, |script| {
            script
                .calls
                .push((self.number, tool.clone(), arguments.clone()));
            script.answers.get(&tool).cloned()
        });
        let answer = answer.unwrap_or_else(
            || json!({"content": [{"type": "text", "text": arguments.to_string()}]}),
        );
        match (answer.as_str(), answer.get("error")) {
            (Some("crash"), _) => None,
            (Some("progress"), _) => {
                let progress = |done| {
                    json!({"jsonrpc": "2.0", "method": "notifications/progress",
                    "params": {"progressToken": params["_meta"]["progressToken"], "progress": done, "total": 2}})
                };
                let result = json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}});
                Some(vec![progress(1), progress(2), result])
            }
            (Some("silence"), _) => std::future::pending().await,
            (_, Some(error)) => Some(vec![json!({"jsonrpc": "2.0", "id": id, "error": error})]),
            _ => Some(vec![json!({"jsonrpc": "2.0", "id": id, "result": answer})]),
        }
    }
}
