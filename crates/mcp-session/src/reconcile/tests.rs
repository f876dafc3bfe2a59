//! The table of plans.

use mcp_config::{DigestKey, Environment, Origin};

use super::*;
use crate::server::ServerState::{Connecting, Dropped, Failed, Ready, Stopped};

const BASE: &str = r#"{"command": "srv", "env": {"A": "${TOKEN:-}"}}"#;

fn entry(json: &str) -> Arc<ServerEntry> {
    let (entry, problems) = ServerEntry::parse("s", json, &Origin::plugin("test"));
    Arc::new(entry.unwrap_or_else(|| panic!("{json}: {problems:?}")))
}

fn variables(entry: &ServerEntry, token: &str) -> Digest {
    let environment: Environment = [("TOKEN", token)].into_iter().collect();
    entry.variables_digest(&environment, &DigestKey::new([7; 32]))
}

fn wanted(json: &str, token: &str) -> Wanted {
    let entry = entry(json);
    Wanted {
        variables: variables(&entry, token),
        entry,
    }
}

fn running(json: &str, token: &str, state: ServerState) -> Running {
    let Wanted { entry, variables } = wanted(json, token);
    Running {
        entry,
        variables,
        state,
    }
}

fn plan(wanted: Option<Wanted>, running: Option<Running>) -> Option<Action> {
    let name = |value| ("s".to_owned(), value);
    let wanted = wanted.into_iter().map(name).collect();
    let running = running
        .into_iter()
        .map(|running| ("s".to_owned(), running))
        .collect();
    reconcile(&wanted, &running).remove("s")
}

const HIDDEN: &str = r#"{"command": "srv", "env": {"A": "${TOKEN:-}"}, "exposure": "hidden"}"#;
const PATIENT: &str = r#"{"command": "srv", "env": {"A": "${TOKEN:-}"}, "requestTimeoutMs": 7}"#;
const OTHER: &str = r#"{"command": "other"}"#;

/// Entry and variable that are wanted; entry, variable and state that run; the step; what to adopt.
type Case = (
    Option<(&'static str, &'static str)>,
    Option<(&'static str, &'static str, ServerState)>,
    Step,
    bool,
);

const CASES: [Case; 14] = [
    (Some((BASE, "t")), None, Step::Start, false),
    (None, Some((BASE, "t", Ready)), Step::Stop, false),
    (
        Some((BASE, "t")),
        Some((BASE, "t", Ready)),
        Step::Keep,
        false,
    ),
    (
        Some((BASE, "t")),
        Some((BASE, "t", Connecting)),
        Step::Keep,
        false,
    ),
    (
        Some((BASE, "t")),
        Some((BASE, "t", Failed)),
        Step::Retry,
        false,
    ),
    (
        Some((BASE, "t")),
        Some((BASE, "t", Dropped)),
        Step::Reconnect,
        false,
    ),
    (
        Some((BASE, "t")),
        Some((BASE, "t", Stopped)),
        Step::Start,
        false,
    ),
    (
        Some((BASE, "new")),
        Some((BASE, "t", Ready)),
        Step::Restart,
        false,
    ),
    (
        Some((BASE, "new")),
        Some((BASE, "t", Failed)),
        Step::Restart,
        false,
    ),
    (
        Some((OTHER, "t")),
        Some((BASE, "t", Ready)),
        Step::Restart,
        false,
    ),
    (
        Some((OTHER, "t")),
        Some((BASE, "t", Dropped)),
        Step::Restart,
        false,
    ),
    (
        Some((HIDDEN, "t")),
        Some((BASE, "t", Ready)),
        Step::Keep,
        true,
    ),
    (
        Some((HIDDEN, "t")),
        Some((BASE, "t", Dropped)),
        Step::Reconnect,
        true,
    ),
    (
        Some((PATIENT, "t")),
        Some((BASE, "t", Connecting)),
        Step::Keep,
        true,
    ),
];

#[test]
fn a_plan_follows_from_what_is_wanted_and_what_runs() {
    for (number, (want, run, step, adopt)) in CASES.into_iter().enumerate() {
        let want = want.map(|(json, token)| wanted(json, token));
        let run = run.map(|(json, token, state)| running(json, token, state));
        assert_eq!(
            plan(want, run),
            Some(Action { step, adopt }),
            "case {number}"
        );
    }
}

/// One changed value for each member that an entry may have: a member that the file's schema has
/// and this table has not is one that nobody has thought of here.
#[test]
fn every_member_of_an_entry_is_compared() {
    let stdio = [
        ("command", r#""other""#, Step::Restart),
        ("args", r#"["x"]"#, Step::Restart),
        ("env", r#"{"B": "1"}"#, Step::Restart),
        ("cwd", r#""elsewhere""#, Step::Restart),
        ("exposure", r#""hidden""#, Step::Keep),
        ("toolExposure", r#"{"a": "hidden"}"#, Step::Keep),
        ("startTimeoutMs", "5", Step::Keep),
        ("requestTimeoutMs", "5", Step::Keep),
        ("maxRequestMs", "5", Step::Keep),
    ];
    let http = [
        ("url", r#""http://b.invalid""#, Step::Restart),
        ("headers", r#"{"X": "1"}"#, Step::Restart),
    ];
    // These say how an entry is read, or whether it may start at all.
    let others = ["type", "enabled", "disabled", "auth", "oauth"];
    for (base, members) in [
        (r#"{"command": "srv"}"#, &stdio[..]),
        (r#"{"url": "http://a.invalid"}"#, &http[..]),
    ] {
        for (member, value, step) in members {
            let mut changed: serde_json::Map<_, _> = serde_json::from_str(base).unwrap();
            changed.insert((*member).to_owned(), serde_json::from_str(value).unwrap());
            let changed = serde_json::Value::Object(changed).to_string();
            let action = plan(Some(wanted(&changed, "t")), Some(running(base, "t", Ready)));
            assert_eq!(
                action,
                Some(Action {
                    step: *step,
                    adopt: *step == Step::Keep
                }),
                "{member}"
            );
        }
    }
    let known: Vec<&str> = stdio
        .iter()
        .chain(&http)
        .map(|(member, ..)| *member)
        .chain(others)
        .collect();
    for member in schema_members() {
        assert!(
            known.contains(&member.as_str()),
            "{member} is not compared here"
        );
    }
}

/// All members that the published schema of `mcp.json` knows in an entry.
fn schema_members() -> Vec<String> {
    fn collect(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(members) => {
                let properties = members
                    .get("properties")
                    .and_then(serde_json::Value::as_object);
                let is_entry = properties.is_some_and(|names| {
                    names.contains_key("command")
                        || names.contains_key("url")
                        || names.contains_key("exposure")
                });
                if is_entry {
                    found.extend(
                        properties
                            .into_iter()
                            .flat_map(serde_json::Map::keys)
                            .cloned(),
                    );
                }
                members.values().for_each(|value| collect(value, found));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|value| collect(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(&mcp_config::json_schema(), &mut found);
    assert!(
        found.iter().any(|member| member == "command"),
        "the schema has no entries"
    );
    found
}
