//! What both kinds of handshake read from a server's first answer, and say about us.

use serde_json::Value;

use crate::rpc::Reply;
use crate::wire::Member;
use crate::{Capabilities, Era, Options, ProtocolVersion, ServerInfo};

/// The names of the revisions that we speak.
pub(super) fn ours() -> Vec<String> {
    ProtocolVersion::SUPPORTED
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// The metadata of each stateless request, as members without braces.
pub(super) fn stateless_meta(options: &Options) -> String {
    let client = serde_json::to_string(&options.client).unwrap_or_default();
    format!(
        "\"io.modelcontextprotocol/protocolVersion\":\"{}\",\"io.modelcontextprotocol/clientInfo\":{client},\
         \"io.modelcontextprotocol/clientCapabilities\":{}",
        ProtocolVersion::STATELESS,
        options.handlers.capabilities(Era::Stateless)
    )
}

/// What the server said about itself.
pub(super) fn server_info(reply: &Reply, version: ProtocolVersion) -> ServerInfo {
    let server = implementation(reply);
    let text = |name: &str| server.get(name).and_then(Value::as_str).map(str::to_owned);
    ServerInfo {
        name: text("name"),
        title: text("title"),
        version: text("version"),
        instructions: reply.string(Member::Instructions),
        protocol_version: version,
        era: version.era(),
        capabilities: Capabilities::from_json(reply.present(Member::Capabilities)),
    }
}

/// `serverInfo` of the result, or, as the stateless revision has it, of its metadata.
fn implementation(reply: &Reply) -> Value {
    let read = |member| -> Option<Value> { serde_json::from_str(reply.present(member)?).ok() };
    read(Member::ServerInfo)
        .or_else(|| {
            read(Member::Meta)?
                .get_mut("io.modelcontextprotocol/serverInfo")
                .map(Value::take)
        })
        .unwrap_or_default()
}
