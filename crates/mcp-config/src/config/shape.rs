//! The shapes of other programs' files.

use crate::document::{Kind, Member, Node};
use crate::entry::is_entry;

/// A member in which another program keeps its servers.
pub(super) struct Foreign {
    pub(super) whose: &'static str,
    pub(super) instead: String,
}

/// Recognises a member of the outermost object by its name and value.
pub(super) fn foreign(member: &Member) -> Option<Foreign> {
    let rename = |more: &str| format!("rename `{}` to `mcpServers`{more}", member.key());
    let (whose, instead) = match member.key() {
        "servers" => (
            "where VS Code keeps servers",
            rename("; for ${input:x} write a variable, ${X}"),
        ),
        "context_servers" => ("where Zed keeps servers", rename("")),
        "mcp_servers" => ("where Codex and others keep servers", rename("")),
        "mcp" if member.value().get("servers").is_some() => (
            "where the settings of VS Code keep servers",
            "write the object of `mcp.servers` as \"mcpServers\": { … }".to_owned(),
        ),
        "mcp" => (
            "where opencode, Crush and others keep servers",
            rename("; the program alone is `command`, the rest `args`, and `environment` is `env`"),
        ),
        "agent_servers" => (
            "where Zed keeps agents",
            "agents are no MCP servers; write \"mcpServers\": { … }".to_owned(),
        ),
        "extensions" if holds_entries(member.value()) => ("where Goose keeps servers", rename("")),
        key if is_misspelt(key) => ("a misspelling of `mcpServers`", rename("")),
        _ => return None,
    };
    Some(Foreign { whose, instead })
}

fn is_misspelt(key: &str) -> bool {
    let bare: String = key.chars().filter(|c| c.is_alphanumeric()).collect();
    let bare = bare.to_lowercase();
    bare.ends_with("mcpservers")
        || bare.len() < 20 && strsim::damerau_levenshtein(&bare, "mcpservers") <= 2
}

fn holds_entries(node: &Node) -> bool {
    node.as_object().is_some_and(|object| {
        object
            .members()
            .iter()
            .any(|member| is_entry(member.value()))
    })
}

/// Advice for a value that should have been an object of servers.
pub(super) fn not_an_object(node: &Node) -> String {
    match node.kind() {
        Kind::Array => {
            let first = node.as_array().and_then(<[Node]>::first);
            let name = first
                .and_then(|item| item.get("name"))
                .and_then(Node::as_str);
            let name = name.filter(|name| name.len() <= 64).unwrap_or("name");
            let name = serde_json::Value::from(name);
            format!("servers are not listed but named: write \"mcpServers\": {{ {name}: {{ … }} }}")
        }
        Kind::String => "other files are not followed: write the servers here".to_owned(),
        _ => "write { \"mcpServers\": { \"name\": { \"command\": \"…\" } } }".to_owned(),
    }
}
