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
    declared: Box<[Declared]>,
}

#[derive(Clone, Debug)]
struct Declared {
    name: Box<str>,
    list_changed: bool,
    subscribe: bool,
}

impl Capabilities {
    /// Reads what a server declares. One that has no object there, such as the empty array that PHP writes for an empty
    /// map, says nothing; it is asked for tools all the same, since they would be lost without a word otherwise.
    pub(crate) fn from_json(json: Option<&str>) -> Self {
        let members = json.and_then(|json| serde_json::from_str(json).ok());
        let members: Map<String, Value> = members.unwrap_or_else(|| {
            [("tools".to_owned(), Value::Bool(true))]
                .into_iter()
                .collect()
        });
        let declared = members
            .into_iter()
            .filter(|(_, value)| !matches!(value, Value::Null | Value::Bool(false)));
        Self {
            raw: json.and_then(|json| RawValue::from_string(json.to_owned()).ok()),
            declared: declared
                .map(|(name, value)| Declared {
                    name: name.into(),
                    list_changed: value.get("listChanged") == Some(&Value::Bool(true)),
                    subscribe: value.get("subscribe") == Some(&Value::Bool(true)),
                })
                .collect(),
        }
    }

    /// Whether the server declares this capability, such as `tools`.
    pub fn declares(&self, capability: &str) -> bool {
        self.get(capability).is_some()
    }

    /// Whether it says that it tells of changes of that list.
    pub fn list_changed(&self, capability: &str) -> bool {
        self.get(capability)
            .is_some_and(|declared| declared.list_changed)
    }

    /// Whether it takes subscriptions to single resources.
    pub fn subscribes(&self) -> bool {
        self.get("resources")
            .is_some_and(|declared| declared.subscribe)
    }

    /// The JSON as it was sent.
    pub fn raw(&self) -> Option<&RawValue> {
        self.raw.as_deref()
    }

    fn get(&self, capability: &str) -> Option<&Declared> {
        self.declared
            .iter()
            .find(|declared| &*declared.name == capability)
    }
}
