//! A server over HTTP whose sessions expire, and which writes down what became of each call.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// What the next calls meet; afterwards each is answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meets {
    /// 404: the session is gone, and the call did not run.
    Expiry,
    /// The same as a 400 that speaks of the session, as several servers have it.
    ExpiryAsBadRequest,
    /// 200 with a text about the session: whether the call ran, nobody knows.
    ExpiryAsText,
    /// 401.
    Refusal,
    /// It runs, and the connection ends before the answer.
    Loss,
    /// It runs, and is answered once the gate is opened.
    Gate,
}

/// What became of one arrival of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fate {
    /// Refused by an expired session: it may come once more.
    Expired,
    /// Refused for its credentials.
    Unauthorized,
    /// It ran.
    Ran,
    /// It may have run.
    Unknown,
}

#[derive(Default)]
struct State {
    started: usize,
    /// Sessions that are neither expired nor ended.
    living: BTreeSet<String>,
    plans: VecDeque<Meets>,
    /// The sessions in which calls ran.
    ran_in: Vec<String>,
    /// Each arrival of a call, by the number in its arguments.
    arrivals: BTreeMap<u64, Vec<Fate>>,
    refuse_all: bool,
}

#[derive(Clone)]
struct Shared {
    state: Arc<Mutex<State>>,
    gate: Arc<Notify>,
}

pub(crate) struct Server {
    address: std::net::SocketAddr,
    shared: Shared,
    _task: JoinSet<()>,
}

impl Server {
    pub(crate) async fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Shared {
            state: Arc::default(),
            gate: Arc::default(),
        };
        let mut task = JoinSet::new();
        task.spawn(accept(listener, shared.clone()));
        Server {
            address,
            shared,
            _task: task,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    pub(crate) fn plan(&self, plans: impl IntoIterator<Item = Meets>) {
        self.state().plans.extend(plans);
    }

    /// Every session expires.
    pub(crate) fn expire(&self) {
        self.state().living.clear();
    }

    pub(crate) fn refuse_all(&self) {
        self.state().refuse_all = true;
    }

    /// Answers the calls that wait.
    pub(crate) fn open(&self) {
        self.shared.gate.notify_waiters();
    }

    /// The sessions in which calls ran, in order.
    pub(crate) fn ran_in(&self) -> Vec<String> {
        self.state().ran_in.clone()
    }

    /// The living sessions in which calls ran. One that an interrupted attempt had just begun is the
    /// server's to forget.
    pub(crate) fn living(&self) -> Vec<String> {
        let state = self.state();
        let used = |session: &&String| state.ran_in.contains(session);
        state.living.iter().filter(used).cloned().collect()
    }

    pub(crate) fn arrivals(&self) -> BTreeMap<u64, Vec<Fate>> {
        self.state().arrivals.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap()
    }
}

async fn accept(listener: TcpListener, shared: Shared) {
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        connections.spawn(serve(stream, shared.clone()));
    }
}

/// Answers requests on one TCP connection until it ends.
async fn serve(stream: TcpStream, shared: Shared) {
    let mut stream = BufReader::new(stream);
    while let Some(request) = Request::read(&mut stream).await {
        // Asked for before the answer is made: a gate that opens meanwhile counts.
        let gate = shared.gate.notified();
        let answer = shared.state.lock().unwrap().answer(&request);
        let Answer {
            status,
            headers,
            body,
            ends,
        } = answer;
        match ends {
            Ends::AtOnce => return,
            Ends::AtTheGate => gate.await,
            Ends::No => {}
        }
        let head = format!(
            "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n",
            body.len()
        );
        let sent = stream.write_all(format!("{head}{body}").as_bytes()).await;
        if sent.is_err() {
            return;
        }
    }
}

struct Request {
    method: String,
    session: String,
    message: Value,
}

impl Request {
    async fn read(stream: &mut BufReader<TcpStream>) -> Option<Request> {
        let (mut line, mut length, mut session) = (String::new(), 0, String::new());
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
            return None;
        }
        let method = line.split(' ').next()?.to_owned();
        loop {
            let mut header = String::new();
            stream.read_line(&mut header).await.ok()?;
            let Some((name, value)) = header.trim_end().split_once(':') else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap(),
                "mcp-session-id" => value.trim().clone_into(&mut session),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        Some(Request {
            method,
            session,
            message: serde_json::from_slice(&body).unwrap_or_default(),
        })
    }
}

#[derive(Clone, Copy)]
enum Ends {
    No,
    /// Without an answer.
    AtOnce,
    AtTheGate,
}

struct Answer {
    status: &'static str,
    headers: String,
    body: String,
    ends: Ends,
}

impl Answer {
    fn none(status: &'static str) -> Answer {
        Answer {
            status,
            headers: String::new(),
            body: String::new(),
            ends: Ends::No,
        }
    }

    fn json(status: &'static str, body: &Value) -> Answer {
        Answer {
            headers: "content-type: application/json\r\n".to_owned(),
            body: body.to_string(),
            ..Answer::none(status)
        }
    }

    fn result(request: &Request, result: &Value) -> Answer {
        let body = json!({"jsonrpc": "2.0", "id": request.message["id"], "result": result});
        Answer::json("200 OK", &body)
    }
}

impl State {
    fn answer(&mut self, request: &Request) -> Answer {
        if self.refuse_all {
            return Answer::none("401 Unauthorized");
        }
        let method = request.message["method"].as_str().unwrap_or_default();
        match (request.method.as_str(), method) {
            ("POST", "initialize") => self.begin(request),
            ("POST", "server/discover") => {
                let error = json!({"code": -32601, "message": "unknown"});
                let body = json!({"jsonrpc": "2.0", "id": request.message["id"], "error": error});
                Answer::json("200 OK", &body)
            }
            ("POST", "tools/call") => self.call(request),
            ("POST", _) if !self.living.contains(&request.session) => Answer::none("404 Not Found"),
            ("POST", "tools/list") => {
                let tool = json!({"name": "run", "inputSchema": {"type": "object"}});
                Answer::result(request, &json!({"tools": [tool]}))
            }
            ("POST", _) => Answer::none("202 Accepted"),
            ("DELETE", _) => {
                self.living.remove(&request.session);
                Answer::none("204 No Content")
            }
            _ => Answer::none("405 Method Not Allowed"),
        }
    }

    fn begin(&mut self, request: &Request) -> Answer {
        self.started += 1;
        let session = format!("s{}", self.started);
        let mut answer = Answer::result(
            request,
            &json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "h", "version": "1"}}),
        );
        // Writing to a string does not fail.
        let _ = write!(answer.headers, "mcp-session-id: {session}\r\n");
        self.living.insert(session);
        answer
    }

    fn call(&mut self, request: &Request) -> Answer {
        let meets = self.plans.pop_front();
        let meets = if self.living.contains(&request.session) {
            meets
        } else {
            Some(Meets::Expiry)
        };
        let (fate, answer) = match meets {
            Some(Meets::Expiry) => {
                self.living.remove(&request.session);
                (Fate::Expired, Answer::none("404 Not Found"))
            }
            Some(Meets::ExpiryAsBadRequest) => {
                self.living.remove(&request.session);
                let error =
                    json!({"code": -32000, "message": "Bad Request: No valid session ID provided"});
                let body = json!({"jsonrpc": "2.0", "id": null, "error": error});
                (Fate::Expired, Answer::json("400 Bad Request", &body))
            }
            Some(Meets::ExpiryAsText) => {
                self.living.remove(&request.session);
                let answer = Answer {
                    headers: "content-type: text/event-stream\r\n".to_owned(),
                    body: "event: message\ndata: {\"error\":\"Session not found\"}\n\n".to_owned(),
                    ..Answer::none("200 OK")
                };
                (Fate::Unknown, answer)
            }
            Some(Meets::Refusal) => (Fate::Unauthorized, Answer::none("401 Unauthorized")),
            Some(Meets::Loss) => {
                let mut answer = self.run(request);
                answer.ends = Ends::AtOnce;
                (Fate::Ran, answer)
            }
            Some(Meets::Gate) => {
                let mut answer = self.run(request);
                answer.ends = Ends::AtTheGate;
                (Fate::Ran, answer)
            }
            None => (Fate::Ran, self.run(request)),
        };
        if let Some(number) = request.message["params"]["arguments"]["n"].as_u64() {
            self.arrivals.entry(number).or_default().push(fate);
        }
        answer
    }

    fn run(&mut self, request: &Request) -> Answer {
        self.ran_in.push(request.session.clone());
        let text = json!({"type": "text", "text": request.session});
        Answer::result(request, &json!({"content": [text]}))
    }
}
