//! The JSON Schema for editors: current, and of one mind with the reader.

use mcp_config::{Origin, ServerEntry, json_schema};

use crate::support::user;

#[test]
fn the_committed_schema_is_current() {
    let committed = include_str!("../../schema/mcp.schema.json");
    let committed: serde_json::Value = serde_json::from_str(committed).unwrap();
    let current = committed == json_schema();
    assert!(
        current,
        "it differs; run: cargo run -p mcp-config --example schema > crates/mcp-config/schema/mcp.schema.json"
    );
}

#[test]
fn the_schema_and_the_reader_accept_and_refuse_the_same_files() {
    let validator = jsonschema::validator_for(&json_schema()).unwrap();
    for (text, good) in samples() {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(validator.is_valid(&value), good, "schema: {text}");
        assert_eq!(
            !user(text).has_errors(),
            good,
            "reader: {text} {:?}",
            user(text).problems()
        );
    }
    let (good, bad) = (
        GOOD.iter().map(|entry| (entry, true)),
        BAD.iter().map(|entry| (entry, false)),
    );
    for (entry, good) in good.chain(bad) {
        let text = format!(r#"{{"mcpServers": {{"a": {entry}}}}}"#);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(validator.is_valid(&value), good, "schema: {entry}");
        assert_eq!(
            !user(&text).has_errors(),
            good,
            "reader: {entry} {:?}",
            user(&text).problems()
        );
    }
}

#[test]
fn the_schema_knows_exactly_the_members_that_the_reader_knows() {
    let schema = json_schema();
    let members = schema["$defs"]["Entry"]["properties"].as_object().unwrap();
    for member in members.keys() {
        let json = format!(r#"{{"command": "srv", "{member}": null}}"#);
        let (_, problems) = ServerEntry::parse("a", &json, &Origin::plugin("test"));
        let unknown = problems
            .iter()
            .any(|problem| problem.message().contains("unknown member"));
        assert!(!unknown, "the reader does not know {member}");
        assert!(
            members[member]["description"].is_string(),
            "{member} is not described"
        );
    }
    // What the reader knows and the schema does not would be unknown to an editor.
    let written = r#"{"type":"stdio","command":"srv","args":[],"env":{},"cwd":"d","enabled":true,"exposure":"direct",
        "toolExposure":{},"startTimeoutMs":1,"requestTimeoutMs":1,"maxRequestMs":1}"#;
    let (entry, _) = ServerEntry::parse("a", written, &Origin::plugin("test"));
    let written: serde_json::Value = serde_json::from_str(&entry.unwrap().expose_json()).unwrap();
    assert!(
        written
            .as_object()
            .unwrap()
            .keys()
            .all(|key| members.contains_key(key))
    );
}

fn samples() -> Vec<(&'static str, bool)> {
    vec![
        ("{}", true),
        (r#"{"$schema": "x"}"#, true),
        (r#"{"mcpServers": {}}"#, true),
        (r#"{"mcpServers": {}, "other": 1}"#, true),
        (r#"{"mcpServers": []}"#, false),
        (r#"{"mcpServers": null}"#, false),
        (r#"{"servers": {}}"#, false),
        (r#"{"mcpServers": {"": {"command": "x"}}}"#, false),
        (r#"{"mcpServers": {" ": {"command": "x"}}}"#, false),
        (r#"{"mcpServers": {"a b": {"command": "x"}}}"#, true),
        ("[]", false),
        ("null", false),
    ]
}

const GOOD: [&str; 10] = [
    r#"{"command": "srv", "args": ["x"], "env": {"A": "b"}, "cwd": "d"}"#,
    r#"{"url": "https://h.invalid/mcp", "headers": {"X-A": "b"}}"#,
    r#"{"type": "STDIO", "command": "srv"}"#,
    r#"{"type": "Streamable_Http", "url": "http://h"}"#,
    r#"{"command": "srv", "unknown": 1}"#,
    r#"{"command": "srv", "enabled": true, "disabled": false, "exposure": "hidden", "toolExposure": {"*": "direct"}}"#,
    r#"{"command": "srv", "startTimeoutMs": 1, "requestTimeoutMs": 2.0, "maxRequestMs": 2147483647}"#,
    r#"{"command": "/opt/my app/srv"}"#,
    r#"{"url": "https://${HOST}/mcp"}"#,
    r#"{"type": "http", "command": "srv", "url": "http://h"}"#,
];

const BAD: [&str; 37] = [
    "{}",
    "null",
    r#""npx""#,
    r#"{"args": []}"#,
    r#"{"env": {"A": "b"}}"#,
    r#"{"type": "stdio"}"#,
    r#"{"type": "stdio", "url": "http://h"}"#,
    r#"{"type": "http", "command": "srv"}"#,
    r#"{"type": "sse", "url": "http://h"}"#,
    r#"{"command": "srv", "url": "http://h"}"#,
    r#"{"command": "npx -y pkg"}"#,
    r#"{"command": ""}"#,
    r#"{"command": ["npx"]}"#,
    r#"{"command": "srv", "args": "x"}"#,
    r#"{"command": "srv", "args": [1]}"#,
    r#"{"command": "srv", "env": {"A": 1}}"#,
    r#"{"command": "srv", "env": {"": "x"}}"#,
    r#"{"command": "srv", "env": {"A=B": "x"}}"#,
    r#"{"command": "srv", "env": null}"#,
    r#"{"command": "srv", "cwd": ""}"#,
    r#"{"url": "wss://h"}"#,
    r#"{"url": "h/mcp"}"#,
    r#"{"url": "http://"}"#,
    r#"{"url": "http://h", "headers": {"A B": "x"}}"#,
    r#"{"url": "http://h", "headers": ["x"]}"#,
    r#"{"command": "srv", "enabled": true, "disabled": true}"#,
    r#"{"command": "srv", "enabled": false, "disabled": false}"#,
    r#"{"command": "srv", "enabled": "yes"}"#,
    r#"{"command": "srv", "exposure": "deferred"}"#,
    r#"{"command": "srv", "toolExposure": {"t": true}}"#,
    r#"{"command": "srv", "toolExposure": {"": "hidden"}}"#,
    r#"{"command": "srv", "startTimeoutMs": 0}"#,
    r#"{"command": "srv", "startTimeoutMs": 1.5}"#,
    r#"{"command": "srv", "startTimeoutMs": "1"}"#,
    r#"{"command": "srv", "startTimeoutMs": 2147483648}"#,
    r#"{"url": "http://h", "auth": "oauth"}"#,
    r#"{"url": "http://h", "oauth": false}"#,
];

/// An override is right by itself, and needs a base only when layers are merged.
#[test]
fn the_schema_accepts_overrides() {
    let validator = jsonschema::validator_for(&json_schema()).unwrap();
    for entry in [
        r#"{"enabled": false}"#,
        r#"{"disabled": true, "exposure": "hidden"}"#,
        r#"{"toolExposure": {"x": "hidden"}}"#,
    ] {
        let text = format!(r#"{{"mcpServers": {{"a": {entry}}}}}"#);
        assert!(
            validator.is_valid(&serde_json::from_str(&text).unwrap()),
            "{entry}"
        );
        let base = crate::support::entry(r#"{"command": "srv"}"#);
        assert!(
            base.with_override(entry, &Origin::plugin("test"))
                .0
                .is_some(),
            "{entry}"
        );
    }
}
