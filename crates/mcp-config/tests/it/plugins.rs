//! Entries that do not come from a file, checked by its rules.

use mcp_config::{Origin, ServerEntry};
use proptest::prelude::*;

use crate::support::{assert_problems, entry};

#[test]
fn an_entry_is_checked_by_the_rules_of_the_file() {
    let origin = Origin::plugin("tenant");
    let parse = |name: &str, json: &str| ServerEntry::parse(name, json, &origin);
    for (json, expected) in [
        (
            r#"{"command": "srv", "env": {"N": 5}}"#,
            &["mcpServers.a.env.N: expected a string"][..],
        ),
        (
            r#"{"enabled": true}"#,
            &["mcpServers.a: the entry has neither `command` nor `url`"],
        ),
        ("{", &["the text ends inside an object"]),
        ("[]", &["mcpServers.a: expected an object"]),
        (r#"{"command": "npx -y x"}"#, &["whole command line"]),
    ] {
        let (entry, problems) = parse("a", json);
        assert!(entry.is_none(), "{json}");
        assert_problems(json, &problems, &[expected]);
        assert!(
            problems
                .iter()
                .all(|problem| problem.line().is_none() && problem.file().is_none())
        );
        assert!(problems.iter().all(|problem| problem.server() == Some("a")));
    }
    assert!(parse("", r#"{"command": "srv"}"#).0.is_none());
    let (entry, problems) = parse("a", r#"{"command": "srv", "quux": 1, "command": "other"}"#);
    assert!(entry.is_none() == problems.iter().any(mcp_config::Problem::is_error));
}

#[test]
fn an_override_is_checked_too() {
    let base = entry(r#"{"command": "srv"}"#);
    let origin = Origin::plugin("tenant");
    let (changed, problems) =
        base.with_override(r#"{"enabled": false, "exposure": "hidden"}"#, &origin);
    let changed = changed.unwrap();
    assert!(problems.is_empty() && !changed.is_enabled());
    assert_eq!(changed.overridable().0.unwrap().origin(), &origin);
    for (json, word) in [
        (
            r#"{"command": "x"}"#,
            "an override may hold only enabled, disabled, exposure, toolExposure",
        ),
        (r#"{"env": {}}"#, "neither"),
        ("{}", "empty"),
        (r#"{"enabled": 1}"#, "expected a boolean"),
    ] {
        let (changed, problems) = base.with_override(json, &origin);
        assert!(changed.is_none(), "{json}");
        assert_problems(json, &problems, &[&[word]]);
    }
}

#[test]
fn what_is_written_reads_as_the_same_entry() {
    for json in [
        r#"{"command": "srv"}"#,
        r#"{"command": "~/srv", "args": ["a b", "\n"], "env": {"A": "!x", "B": "$$", "": "é"}, "cwd": "d", "maxRequestMs": 7}"#,
        r#"{"url": "https://u:p@h.invalid", "headers": {"X-A": "${A:-b}"}, "enabled": false, "exposure": "hidden", "toolExposure": {"z": "direct", "a": "hidden"}}"#,
    ] {
        let json = json.replace("\"\": \"é\"", "\"C\": \"é\"");
        let first = entry(&json);
        let again = entry(&first.expose_json());
        assert_eq!(first, again, "{json}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Exactly the entries with an error are refused, and none brings anything down.
    #[test]
    fn an_entry_is_refused_exactly_for_an_error(json in entry_text()) {
        let (entry, problems) = ServerEntry::parse("a", &json, &Origin::plugin("p"));
        prop_assert_eq!(entry.is_none(), problems.iter().any(mcp_config::Problem::is_error), "{} {:?}", json, problems);
        if let Some(entry) = entry {
            prop_assert_eq!(ServerEntry::parse("a", &entry.expose_json(), &Origin::plugin("p")).0, Some(entry));
        }
    }
}

fn entry_text() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "type",
        "command",
        "args",
        "env",
        "cwd",
        "url",
        "headers",
        "enabled",
        "disabled",
        "exposure",
        "toolExposure",
        "startTimeoutMs",
        "requestTimeoutMs",
        "maxRequestMs",
        "auth",
        "quux",
        "serverUrl",
    ]);
    let value = prop::sample::select(vec![
        "null",
        "true",
        "false",
        "0",
        "5",
        "\"\"",
        "\"stdio\"",
        "\"http\"",
        "\"srv\"",
        "\"a b\"",
        "\"https://h.invalid\"",
        "\"hidden\"",
        "[]",
        "[\"x\", 1]",
        "[\"x\"]",
        "{}",
        "{\"A\": \"${B}\"}",
        "{\"A\": \"direct\"}",
        "{\"A\": \"!x\"}",
        "{\"A\": 1}",
    ]);
    prop::collection::btree_map(key, value, 0..6).prop_map(|members| {
        let members: Vec<String> = members
            .iter()
            .map(|(key, value)| format!("\"{key}\": {value}"))
            .collect();
        format!("{{{}}}", members.join(", "))
    })
}
