//! Parts of a run, its status line, and its reports as files.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod support;

use roxmltree::{Document, Node};
use support::{Own, PLAIN};

/// A scenario that fails: its server says what it must not, with markup and control characters.
const FAILS: &str = r#"{ title: "A <script>alert(1)</script> title", proves: "p & q", secrets: ["tok-123456"],
    servers: { it: { tools: [{ name: "a", description: "<img src=x onerror=alert(1)>", inputSchema: {} }],
        calls: { a: { text: "</pre><script>alert(2)</script>\u001b[2J]]>" } },
        rules: [{ when: "start", do: [{ stderr: "the log says tok-123456 \u001b[31m</pre>\n" }] }] } },
    files: { user: { mcpServers: { it: { command: "$FIXTURE", args: ["it"] } } } },
    exchanges: [{ user: "Do <b>it</b>.", moves: [
        { call: { tool: "mcp__it__a", arguments: {}, expect: { contains: "something else" } } }, { say: "Done." }] }] }"#;

const LIVE: &str = "{ title: 't', proves: 'p', live: true, servers: { it: { tools: [] } },
    client: [{ connect: { server: 'it' } }, 'close'] }";

fn own() -> Own {
    let own = Own::new(&[("fails", FAILS), ("live", LIVE), ("right", PLAIN)]);
    own.run("run", &["s/right", "--accept"]).says(0, &[]);
    own
}

#[test]
fn every_trial_is_in_exactly_one_part() {
    let names: Vec<String> = (0..20).map(|number| format!("case-{number}")).collect();
    let scenarios: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), PLAIN)).collect();
    let own = Own::new(&scenarios);
    let listed = |arguments: &[&str]| -> Vec<String> {
        let ran = own.run("run", arguments);
        assert_eq!(ran.code, 0, "{}", ran.all);
        ran.all.lines().map(str::to_owned).collect()
    };
    let all = listed(&["--list"]);
    let mut parts = Vec::new();
    for part in ["1/3", "2/3", "3/3"] {
        let part = listed(&["--list", "--partition", part]);
        assert!(!part.is_empty() && part.len() < all.len(), "{part:?}");
        parts.extend(part);
    }
    parts.sort();
    let mut sorted = all.clone();
    sorted.sort();
    assert_eq!(parts, sorted);

    // A trial's part follows from its name, so the others stay where they are when one goes.
    let first = listed(&["--list", "--partition", "1/3"]);
    let gone = "s/case-7".to_owned();
    std::fs::remove_file(own.path("scenarios/s/case-7.json5")).expect("it is there");
    let expected: Vec<String> = first.into_iter().filter(|name| *name != gone).collect();
    assert_eq!(listed(&["--list", "--partition", "1/3"]), expected);
}

#[test]
fn a_part_may_be_empty_but_must_be_one() {
    let own = Own::new(&[("one", PLAIN)]);
    let parts = ["1/3", "2/3", "3/3"]
        .map(|part| own.run("run", &["s/one", "--exact", "--list", "--partition", part]));
    assert!(parts.iter().all(|ran| ran.code == 0), "{parts:?}");
    let empty = parts.iter().position(|ran| ran.all.is_empty());
    let empty = format!("{}/3", empty.expect("one scenario is in one part") + 1);
    own.run("run", &["s/one", "--exact", "--partition", &empty])
        .says(
            0,
            &["no scenario falls into this part", "0 passed, 0 failed"],
        );
    for (wrong, message) in [
        ("0/3", "counted from 1 to 3, so there is no number 0"),
        ("4/3", "counted from 1 to 3, so there is no number 4"),
        ("1/0", "is written K/N"),
        ("1", "is written K/N"),
        ("a/b", "is written K/N"),
        ("-1/3", "is written K/N"),
    ] {
        let option = format!("--partition={wrong}");
        own.run("run", &[&option])
            .says(2, &["--partition", message]);
    }
}

#[test]
fn a_report_that_cannot_be_written_is_told_before_anything_runs() {
    let own = own();
    for (wrong, message) in [
        ("xml=x", "html=FILE or junit=FILE"),
        ("junit", "html=FILE or junit=FILE"),
        ("junit=", "html=FILE or junit=FILE"),
        (
            "junit=no/such/file.xml",
            "no/such/file.xml: there is no such folder",
        ),
        ("html=scenarios", "scenarios: it is a folder"),
    ] {
        let ran = own.run("run", &["--report", wrong]);
        ran.says(2, &[message]);
        assert!(!ran.all.contains("PASS"), "{}", ran.all);
    }
}

#[test]
fn a_failure_says_where_and_ends_with_the_server_log() {
    let own = own();
    let ran = own.run("run", &["s/fails", "--exact"]);
    ran.says(
        1,
        &[
            "scenarios/s/fails.json5",
            "brought back no \"something else\"",
            "the server log ends with",
            "the log says [SECRET]",
        ],
    );
    assert!(!ran.all.contains('\u{1b}'), "{}", ran.all);
    assert!(!ran.all.contains("tok-123456"), "{}", ran.all);
}

#[test]
fn the_command_that_accepts_can_be_pasted_whatever_the_names_are() {
    let own = Own::new(&[("it's one", PLAIN)]);
    let ran = own.run("run", &["it's one"]);
    ran.says(1, &[" 's/it'\\''s one' --exact --accept"]);
    let line = ran.all.lines().find(|line| line.contains("--accept"));
    let line = line.expect("it is told").trim();
    let command = line.replacen("mcp-harness", support::BINARY, 1);
    own.shell(&command).says(0, &["ACCEPT s/it's one"]);
}

#[test]
fn the_junit_report_keeps_to_its_schema_and_tells_every_outcome() {
    let own = own();
    own.run("run", &["--report", "junit=junit.xml"])
        .says(1, &[]);
    let text = own.read("junit.xml");
    let document = Document::parse(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    check(document.root_element());
    let case = |name: &str| {
        let mut all = document.descendants();
        let found =
            all.find(|node| node.has_tag_name("testcase") && node.attribute("name") == Some(name));
        found.unwrap_or_else(|| panic!("{name} is missing in\n{text}"))
    };
    let child = |name: &str, tag: &str| {
        let case = case(name);
        case.children().find(|node| node.has_tag_name(tag))
    };
    assert_eq!(case("s/right").attribute("classname"), Some("s"));
    assert!(!case("s/right").has_children());
    assert!(!case("library/no-strays").has_children());
    let skipped = child("s/live", "skipped").expect("it is skipped");
    assert!(
        skipped
            .attribute("message")
            .is_some_and(|it| it.contains("--live"))
    );
    let failure = child("s/fails", "failure").expect("it failed");
    let message = failure.attribute("message").unwrap_or_default();
    assert!(message.contains("brought back no"), "{message}");
    let told = failure.text().unwrap_or_default();
    assert!(told.contains("the server log ends with"), "{told}");
    assert!(!text.contains("tok-123456"), "{text}");
}

/// An element of JUnit XML as CI systems read it: what it must have, what else it may have, and what may stand
/// in it.
struct Rule {
    tag: &'static str,
    required: &'static [&'static str],
    allowed: &'static [&'static str],
    children: &'static [&'static str],
}

const RULES: &[Rule] = &[
    Rule {
        tag: "testsuites",
        required: &["name", "tests", "failures", "errors"],
        allowed: &["time", "skipped", "disabled", "timestamp"],
        children: &["testsuite"],
    },
    Rule {
        tag: "testsuite",
        required: &["name", "tests", "failures", "errors"],
        allowed: &[
            "time",
            "skipped",
            "disabled",
            "timestamp",
            "hostname",
            "id",
            "package",
        ],
        children: &["properties", "testcase", "system-out", "system-err"],
    },
    Rule {
        tag: "testcase",
        required: &["name", "classname", "time"],
        allowed: &["assertions", "status"],
        children: &["skipped", "failure", "error", "system-out", "system-err"],
    },
    Rule {
        tag: "failure",
        required: &[],
        allowed: &["message", "type"],
        children: &[],
    },
    Rule {
        tag: "skipped",
        required: &[],
        allowed: &["message"],
        children: &[],
    },
];

/// Holds an element and all below it to the rules, and the sums to what stands below.
fn check(node: Node<'_, '_>) {
    let tag = node.tag_name().name();
    let rule = RULES.iter().find(|rule| rule.tag == tag);
    let rule = rule.unwrap_or_else(|| panic!("no element <{tag}> is known"));
    for name in rule.required {
        assert!(node.has_attribute(*name), "<{tag}> needs {name}");
    }
    for attribute in node.attributes() {
        let (name, value) = (attribute.name(), attribute.value());
        let known = rule.required.contains(&name) || rule.allowed.contains(&name);
        assert!(known, "<{tag}> has no {name}");
        if name == "time" {
            let seconds: f64 = value.parse().expect("a time is a number of seconds");
            assert!(seconds >= 0.0, "{value}");
        }
    }
    for (sum, below) in [
        ("tests", "testcase"),
        ("failures", "failure"),
        ("skipped", "skipped"),
    ] {
        if let Some(told) = node.attribute(sum) {
            let count = node
                .descendants()
                .filter(|it| it.has_tag_name(below))
                .count();
            assert_eq!(told, count.to_string(), "{sum} of <{tag}>");
        }
    }
    for child in node.children().filter(Node::is_element) {
        let name = child.tag_name().name();
        assert!(rule.children.contains(&name), "<{name}> in <{tag}>");
        check(child);
    }
}

#[test]
fn a_terminal_shows_what_runs_and_other_outputs_do_not() {
    // The scenario waits for a gate that nothing opens until the test saw its name on the status line.
    const WAITS: &str = "{ title: 't', proves: 'p', servers: { it: { tools: [],
        rules: [{ when: 'demo/never', do: [{ open: 'never' }] }] } },
        client: [{ connect: { server: 'it' } }, { event: { await: { gate: 'never' } } }] }";
    let own = Own::new(&[("waits", WAITS)]);
    if let Some(mut terminal) = own.on_terminal("run", &["s/waits", "--exact"]) {
        terminal.shows("[0/1]").shows("s/waits").press("\u{3}");
        terminal.end().says(130, &["it was interrupted"]);
    }
    let own = Own::new(&[("one", PLAIN)]);
    let ran = own.run("run", &["s/one", "--exact"]);
    assert!(
        !ran.all.contains("[0/1]") && !ran.all.contains('\r'),
        "{}",
        ran.all
    );
}
