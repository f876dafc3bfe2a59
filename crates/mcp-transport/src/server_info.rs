//! What a server says about itself in the handshake.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::{Era, ProtocolVersion};

/// What a server said about itself, and how it is spoken to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerInfo {
    /// The program's name, as it says.
    pub name: Option<String>,
    /// A name for people.
    pub title: Option<String>,
    /// The program's version.
    pub version: Option<String>,
    /// How the server wants to be used, for the model.
    pub instructions: Option<String>,
    /// The revision that is spoken.
    pub protocol_version: ProtocolVersion,
    /// How it is spoken to; worth remembering for the next connection.
    pub era: Era,
    /// What it offers.
    pub capabilities: Capabilities,
}

/// What a server offers.
///
/// ```
/// # fn show(server: &mcp_transport::ServerInfo) {
/// if server.capabilities.declares("tools") {
///     println!("tools, which {} change", if server.capabilities.list_changed("tools") { "may" } else { "do not" });
/// }
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Capabilities {
    raw: Option<Box<RawValue>>,
    members: Map<String, Value>,
}

impl Capabilities {
    pub(crate) fn from_json(json: Option<&str>) -> Self {
        let Some(json) = json else {
            return Self::default();
        };
        Self {
            raw: RawValue::from_string(json.to_owned()).ok(),
            members: serde_json::from_str(json).unwrap_or_default(),
        }
    }

    /// Whether the server declares this capability, such as `tools`.
    pub fn declares(&self, capability: &str) -> bool {
        self.members
            .get(capability)
            .is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
    }

    /// Whether it says that it tells of changes of that list.
    pub fn list_changed(&self, capability: &str) -> bool {
        self.member(capability, "listChanged")
    }

    /// Whether it takes subscriptions to single resources.
    pub fn subscribes(&self) -> bool {
        self.member("resources", "subscribe")
    }

    /// The JSON as it was sent.
    pub fn raw(&self) -> Option<&RawValue> {
        self.raw.as_deref()
    }

    fn member(&self, capability: &str, name: &str) -> bool {
        self.members
            .get(capability)
            .and_then(|value| value.get(name))
            == Some(&Value::Bool(true))
    }
}
