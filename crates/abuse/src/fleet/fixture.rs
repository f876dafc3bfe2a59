//! One fixture server: its name, its script, and the way to it.

use serde_json::Value;

/// How a host reaches a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http,
}

/// A server to play.
#[derive(Debug, Clone)]
pub(crate) struct Fixture {
    pub(crate) name: String,
    pub(crate) transport: Transport,
    pub(crate) script: Value,
}
