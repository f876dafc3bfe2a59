//! A scenario file as a whole.

use std::collections::BTreeMap;

use fixture_server::Script;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ClientMove, ExchangeScript, JsonText, Laid, PluginScript};

/// One scenario: the files and servers of a small world, and what happens in it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scenario {
    /// The JSON Schema of this file, for editors: `../scenario.schema.json`.
    #[serde(rename = "$schema")]
    pub schema: Option<String>,
    /// What happens, in one line.
    pub title: String,
    /// The behaviour that the artifact proves, in a sentence or two.
    pub proves: String,
    /// It needs something outside of this machine, so it runs only when it is asked for.
    #[serde(default)]
    pub live: bool,
    /// Variables of the host, beside the fixed ones (HOME, PATH, USER, …).
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Texts that must stand nowhere in the artifact. In what a server was given they are masked.
    #[serde(default)]
    pub secrets: Vec<String>,
    /// The behaviour scripts of the fixture servers, by the name that `$FIXTURE` gets as its first argument.
    /// Those with the member `http` are web servers: they run from the beginning to the end.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, fixture_server::Script>")]
    pub servers: BTreeMap<String, JsonText>,
    /// Files to lay before anything runs: `user` and `project` for the layers, else a path in the sandbox.
    /// A string is the text of the file, any other value is written as JSON. `$FIXTURE` in it is the command
    /// that starts a fixture server, `$URL(name)` the URL of one whose script has the member `http`.
    #[serde(default)]
    pub files: BTreeMap<String, Laid>,
    /// Names of variables that the host takes from the runner's own environment, for servers that are real
    /// commands: mostly `PATH`, behind the sandbox's own.
    #[serde(default)]
    pub inherit: Vec<String>,
    /// How the host has set up the session.
    #[serde(default)]
    pub session: SessionOptions,
    /// Plugins of the host, as data: the edits that each makes at the beginning of every exchange.
    #[serde(default)]
    pub plugins: Vec<PluginScript>,
    /// The exchanges of one session.
    #[serde(default)]
    pub exchanges: Vec<ExchangeScript>,
    /// Moves of a program that uses connections directly, without a session.
    #[serde(default)]
    pub client: Vec<ClientMove>,
    /// Shows in the journals also what is the same for every connection: the contents of handshakes, the
    /// standard members of `_meta`. What differs from the usual is always shown.
    #[serde(default)]
    pub show_handshake: bool,
    /// Shows the lines of the server log, without their times, after everything ended.
    #[serde(default)]
    pub show_server_log: bool,
    /// Places of the artifact, as JSON Pointers in which `*` is any one step, that differ from run to run
    /// and are shown as `[REDACTED]`.
    #[serde(default)]
    pub redact: Vec<String>,
}

/// The host's choices for its session.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SessionOptions {
    /// Whether the host trusts the project layer.
    pub trust_project: bool,
    /// How long an exchange waits for servers that start, in milliseconds.
    pub initial_wait_ms: Option<u64>,
    /// How long the probe for 2026-07-28 waits before `initialize` is sent beside it, in milliseconds; long
    /// where nothing is said, so that a busy machine does not change what servers see.
    pub probe_wait_ms: Option<u64>,
    /// What a result that does not fit its tool's output schema means.
    pub output_schemas: OutputSchemas,
    /// Whether the model takes images.
    pub images: ImageInput,
    /// What a plugin that fails means.
    pub plugin_failures: PluginFailure,
    /// Other limits for the commands in values than the shipped ones.
    pub command_limits: Option<CommandLimits>,
}

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            trust_project: true,
            initial_wait_ms: None,
            probe_wait_ms: None,
            output_schemas: OutputSchemas::default(),
            images: ImageInput::default(),
            plugin_failures: PluginFailure::default(),
            command_limits: None,
        }
    }
}

/// What bounds a command in a value.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommandLimits {
    /// How long it may run before its group gets SIGTERM, in milliseconds.
    pub run_ms: u64,
    /// How long after that its group gets SIGKILL, in milliseconds.
    pub kill_ms: u64,
}

/// What a result that does not fit its tool's output schema means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum OutputSchemas {
    /// A warning beside the result.
    #[default]
    Advise,
    /// The call fails.
    Enforce,
    /// Nothing.
    Ignore,
}

/// Whether the model takes images.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ImageInput {
    /// Images reach the model.
    #[default]
    Accepted,
    /// The model gets a note instead.
    Refused,
}

impl Scenario {
    /// The servers that are played over HTTP.
    pub fn webs(&self) -> impl Iterator<Item = &str> {
        self.servers
            .iter()
            .filter(|(_, script)| {
                Script::parse(script.as_str()).is_ok_and(|script| script.serves_http())
            })
            .map(|(name, _)| name.as_str())
    }
}

/// What a plugin that fails means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PluginFailure {
    /// The exchange does not begin.
    #[default]
    Fail,
    /// The plugin is skipped, with a problem.
    Skip,
}
