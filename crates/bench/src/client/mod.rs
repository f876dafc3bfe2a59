//! The clients that are compared, behind one trait: each does what a host needs of it, up to the
//! decoded text of a result.

mod bare;
mod http_server;
mod messages;
mod ours;
mod raw_http;
mod rmcp;
pub(crate) mod session;

use std::borrow::Cow;
use std::env;
use std::future::Future;
use std::path::PathBuf;

use serde::Deserialize;

use crate::outcome::Outcome;
use crate::peer::PeerSpec;

pub(crate) use bare::Bare;
pub(crate) use ours::{Ours, OursHttp, OursHttpStateless, OursStateless};
pub(crate) use raw_http::{Hyper, RawHttp};
pub(crate) use rmcp::{Rmcp, RmcpHttp, RmcpHttpPooled};
pub(crate) use session::InSession;

/// The argument of every call: a text of 100 bytes.
pub(crate) const ARGUMENTS: &str = concat!(
    r#"{"text":""#,
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
    r#""}"#
);

/// A client with one connection to one server.
pub(crate) trait Client: Sized + Send + Sync + 'static {
    /// A listing as the client keeps it.
    type Tools: Send;

    /// Starts a server and goes through the handshake.
    fn connect(peer: PeerSpec) -> impl Future<Output = Outcome<Self>> + Send;

    /// Calls a tool; the outcome is the length of the text that it returned.
    fn call(&self, tool: &'static str) -> impl Future<Output = Outcome<usize>> + Send;

    /// Lists the tools, and says how many there are.
    fn list(&self) -> impl Future<Output = Outcome<(Self::Tools, usize)>> + Send;
}

/// This command, which is the server too.
fn server_command() -> Outcome<PathBuf> {
    Ok(env::current_exe()?)
}

/// A content part, decoded.
#[derive(Deserialize)]
struct Part<'p> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'p, str>,
    #[serde(default)]
    text: String,
}

/// The text of decoded parts; other kinds count as nothing.
fn text_length(parts: &[Part<'_>]) -> usize {
    parts
        .iter()
        .filter(|part| part.kind == "text")
        .map(|part| part.text.len())
        .sum()
}
