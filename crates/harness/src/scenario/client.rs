//! Moves of a program that uses one connection directly, without a session.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Event, JsonText};

/// One move on the connection, or an event around it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ClientMove {
    /// Starts a server and connects to it. The connection before it, if any, is dropped.
    Connect(Box<Connect>),
    /// Lists all of one kind, following every page.
    List(ListKind),
    /// Reads a resource.
    Read(String),
    /// Gets a prompt.
    Prompt(PromptMove),
    /// Asks for completions.
    Complete(CompleteMove),
    /// Calls a tool and waits for what comes back.
    Call(ClientCall),
    /// Calls several tools at once and waits for all.
    Parallel(Vec<ClientCall>),
    /// A call begins; `finish` or `cancel` ends it.
    Start(ClientStart),
    /// Waits for the call of this name.
    Finish(String),
    /// Cancels the call of this name and waits for what it says.
    Cancel(String),
    /// Drops the call of this name, as a program does that no longer cares.
    Forget(String),
    /// Asks for log entries of a level and above.
    SetLogLevel(String),
    /// Proves that the server lives.
    Ping,
    /// Tells the server that the roots changed.
    RootsChanged,
    /// Waits for the next events, that many.
    Events(usize),
    /// Reads all events up to the end of the stream.
    EventsToEnd,
    /// Shows whether the connection dropped, and why.
    Dropped,
    /// Shows the counters.
    Stats,
    /// Shows the server log of the home folder.
    ServerLog,
    /// Closes the connection and shows how it ended.
    Close,
    /// Drops the connection without closing it.
    Abandon,
    /// Something happens around the connection.
    Event(Event),
}

/// What to connect to, and what the program offers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Connect {
    /// The fixture server, by the name of its script.
    pub server: Option<String>,
    /// A fixture server over HTTP, by the name of its script.
    pub web: Option<String>,
    /// Any other HTTP endpoint.
    pub url: Option<String>,
    /// Headers of every HTTP request.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// `Authorization` values: the first is sent, the next ones after a refusal.
    #[serde(default)]
    pub credentials: Vec<String>,
    /// Another command than the fixture server's.
    pub command: Option<String>,
    /// Arguments; after the name of the fixture server.
    #[serde(default)]
    pub args: Vec<String>,
    /// Variables beside the base environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The working directory, in the sandbox; `project` where there is none.
    pub cwd: Option<String>,
    /// Values to mask.
    #[serde(default)]
    pub mask: Vec<String>,
    /// The era that an earlier connection had: `initialize` or `2026-07-28`; `remembered` is that of the
    /// connection before this one.
    pub era: Option<String>,
    /// How long a start may take, in milliseconds.
    pub start_timeout_ms: Option<u64>,
    /// How long a request may take without progress, in milliseconds.
    pub request_timeout_ms: Option<u64>,
    /// How long a request may take at most, in milliseconds.
    pub max_request_ms: Option<u64>,
    /// How long the probe for 2026-07-28 waits before `initialize` is sent beside it, in milliseconds.
    pub probe_wait_ms: Option<u64>,
    /// The waits of the ladder that ends the process, in milliseconds: before SIGTERM, before SIGKILL.
    pub ladder_ms: Option<(u64, u64)>,
    /// Folders that the program offers as roots.
    pub roots: Option<Vec<String>>,
    /// The result that the program answers to `elicitation/create`.
    pub elicitation: Option<JsonText>,
    /// The result that the program answers to `sampling/createMessage`.
    pub sampling: Option<JsonText>,
}

/// What a server lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ListKind {
    /// `tools/list`.
    Tools,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`.
    ResourceTemplates,
    /// `prompts/list`.
    Prompts,
}

/// A prompt to get.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromptMove {
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub arguments: Option<JsonText>,
}

/// A completion to ask for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompleteMove {
    /// The prompt whose argument is completed.
    pub prompt: Option<String>,
    /// The resource template whose variable is completed.
    pub resource: Option<String>,
    /// The argument.
    pub argument: String,
    /// What stands there so far.
    pub value: String,
}

/// A call of a tool by its raw name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClientCall {
    /// The tool's own name.
    pub tool: String,
    /// The arguments; `{}` where there are none.
    pub arguments: Option<JsonText>,
    /// Arguments of this many bytes, for a message that is too large to write down.
    pub arguments_of_bytes: Option<usize>,
    /// How long it may take without progress, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// How long it may take at most, in milliseconds.
    pub max_total_ms: Option<u64>,
    /// Shows the progress that was reported.
    #[serde(default)]
    pub progress: bool,
}

/// A call that goes on while other moves are made.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClientStart {
    /// The name for `finish`, `cancel` and `forget`.
    pub name: String,
    /// The call.
    pub call: ClientCall,
}
