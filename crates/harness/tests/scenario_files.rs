//! The scenario language as a contributor meets it: every mistake has a place and an advice.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;

use mcp_harness::library::{Library, ScenarioSource};
use mcp_harness::scenario::{json_schema, read};

/// A library with one scenario of this text.
fn source(text: &str) -> ScenarioSource {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let suite = folder.path().join("suite");
    fs::create_dir(&suite).expect("a folder can be made");
    fs::write(suite.join("case.json5"), text).expect("a file can be written");
    let library = Library::folders(folder.path(), folder.path().join("artifacts"));
    let mut found = library.scenarios().expect("the folder can be read");
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// The problems of a scenario, as `line:column path: message`.
fn problems(text: &str) -> Vec<String> {
    match read(&source(text)) {
        Ok(_) => Vec::new(),
        Err(error) => error
            .problems
            .iter()
            .map(|problem| {
                format!(
                    "{}:{} {}: {}",
                    problem.line().unwrap_or_default(),
                    problem.column().unwrap_or_default(),
                    problem.path().unwrap_or_default(),
                    problem.message()
                )
            })
            .collect(),
    }
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(problems(text), expected, "{text}");
}

/// The smallest scenario, with more members.
fn with(members: &str) -> String {
    format!("{{ title: 't', proves: 'p', exchanges: [{{}}],\n{members} }}")
}

#[test]
fn the_smallest_scenario_has_a_title_a_purpose_and_something_that_happens() {
    check("{ title: 't', proves: 'p', exchanges: [{}] }", &[]);
    check(
        "{ title: 't', exchanges: [{}] }",
        &["1:1 : the member `proves` is missing"],
    );
    check("{ title: 't', proves: 'p' }", &["1:1 : nothing happens"]);
}

#[test]
fn an_unknown_member_is_an_error_at_its_name() {
    check(&with("tittle: 1"), &["2:1 tittle: unknown member `tittle`"]);
    check(
        &with("session: { trust: true }"),
        &["2:12 session.trust: unknown member `trust`"],
    );
    check(
        "{ title: 't', proves: 'p', exchanges: [\n { moves: [ { call: { tol: 'x' } } ] } ] }",
        &["2:23 exchanges[0].moves[0].call.tol: unknown member `tol`"],
    );
}

#[test]
fn an_unknown_member_is_reported_with_the_known_ones_and_the_file() {
    let error = read(&source(&with("tittle: 1"))).expect_err("the member is unknown");
    let text = error.render(mcp_harness::terminal::Style::Plain);
    for part in [
        "case.json5",
        "unknown member `tittle`",
        "the known members are",
        "`title`",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn a_syntax_error_and_a_repeated_member_have_a_place() {
    let broken = problems("{ title: 't',\n proves 'p' }");
    assert!(broken[0].starts_with("2:9 "), "{broken:?}");
    let repeated = problems(&with("live: false,\nlive: false"));
    assert!(repeated[0].starts_with("3:1 "), "{repeated:?}");
}

#[test]
fn a_choice_has_exactly_one_member_and_a_known_word() {
    let moves = |moves: &str| {
        format!("{{ title: 't', proves: 'p', exchanges: [{{ moves: [\n{moves}] }}] }}")
    };
    check(&moves("{ call: { tool: 'x' } }"), &[]);
    check(
        &moves("{ cal: { tool: 'x' } }"),
        &["2:3 exchanges[0].moves[0].cal: unknown word `cal`"],
    );
    check(
        &moves("{ say: 'a', call: { tool: 'x' } }"),
        &["2:1 exchanges[0].moves[0]: 2 members where exactly one is expected"],
    );
    check(
        &moves("'say'"),
        &["2:1 exchanges[0].moves[0]: `say` needs a value"],
    );
    check(
        &moves("7"),
        &["2:1 exchanges[0].moves[0]: a number is not a Move"],
    );
}

#[test]
fn moves_that_cannot_be_reached_and_calls_that_never_end_are_errors() {
    let moves = |moves: &str| {
        format!("{{ title: 't', proves: 'p', exchanges: [{{ moves: [\n{moves}] }}] }}")
    };
    let start = "{ start: { name: 'a', call: { tool: 'x' } } }";
    check(&moves(&format!("{start}, {{ finish: 'a' }}")), &[]);
    check(
        &moves("{ finish: 'a' }"),
        &[
            "2:1 exchanges[0].moves[0]: no call named `a` is going on here, so this can never be reached",
        ],
    );
    check(
        &moves(start),
        &["1:49 exchanges[0].moves: the call `a` never ends"],
    );
    check(
        &moves(&format!("{start},\n{start}, {{ cancel: 'a' }}")),
        &["3:18 exchanges[0].moves[1].start.name: a call named `a` is already going on"],
    );
    check(
        "{ title: 't', proves: 'p', client: [\n'close'] }",
        &["2:1 client[0]: there is no connection yet"],
    );
}

#[test]
fn servers_and_gates_must_belong_together() {
    check(
        &with("servers: { a: {} }"),
        &["2:15 servers.a: the server `a` is never started"],
    );
    check(
        &with(
            "servers: { a: {} }, files: { user: { mcpServers: { x: { command: '$FIXTURE', args: ['a'] } } } }",
        ),
        &[],
    );
    check(
        "{ title: 't', proves: 'p', client: [{ connect: {\nserver: 'b' } }] }",
        &["2:9 client[0].connect.server: there is no script for a server `b`"],
    );
    check(
        "{ title: 't', proves: 'p', exchanges: [{ before: [\n{ open: 'go' }] }] }",
        &["2:9 exchanges[0].before[0].open: no server has a gate `go`"],
    );
}

#[test]
fn what_could_never_happen_is_an_error_before_anything_is_played() {
    let before = |event: &str| {
        format!("{{ title: 't', proves: 'p', exchanges: [{{ before: [\n{event}] }}] }}")
    };
    check(
        &before("{ await: { state: { server: 'a', is: 'redy' } } }"),
        &[
            "2:38 exchanges[0].before[0].await.state.is: no server is ever `redy`, so this would wait for ever",
        ],
    );
    check(
        &before("{ await: { state: { server: 'a', is: 'gone' } } }"),
        &[],
    );
    check(
        &before("{ kill: { server: 'a' } }"),
        &["2:19 exchanges[0].before[0].kill.server: there is no script for a server `a`"],
    );
    check(
        &before("{ await: { journal: { server: 'a', saw: 'eof' } } }"),
        &["2:31 exchanges[0].before[0].await.journal.server: there is no script for a server `a`"],
    );
    check(
        &before("{ start: 'a' }"),
        &["2:10 exchanges[0].before[0].start: there is no script for a server `a`"],
    );
    check(
        &before("{ crash: 'a' }"),
        &["2:3 exchanges[0].before[0].crash: unknown word `crash`"],
    );
    let client = |event: &str| {
        format!(
            "{{ title: 't', proves: 'p', client: [{{ connect: {{ command: 'x' }} }},\n{{ event: {event} }}] }}"
        )
    };
    for (event, place) in [
        ("{ set: { A: 'b' } }", "2:17 client[1].event.set"),
        ("{ refresh: 'a' }", "2:21 client[1].event.refresh"),
        (
            "{ await: { state: { server: 'a', is: 'ready' } } }",
            "2:19 client[1].event.await",
        ),
    ] {
        let expected = format!("{place}: this needs a session, and `client` moves have none");
        check(&client(event), &[&expected]);
    }
}

#[test]
fn every_event_of_the_language_can_be_written() {
    let servers = "servers: { it: { tools: [], journal: ['pid'], rules: [{ when: 'tools/list', do: [{ gate: 'slow' }, 'default'] }] }, web: { http: {} } },\n\
        files: { user: { mcpServers: { it: { command: '$FIXTURE', args: ['it'] }, web: { url: '$URL(web)' } } } }";
    for event in [
        "{ open: 'slow' }",
        "{ write: { user: '{}', 'project/a.txt': 'x' } }",
        "{ remove: 'project' }",
        "{ set: { TOKEN: 'new', OLD: null } }",
        "{ stop: 'web' }, { start: 'web' }",
        "{ kill: { server: 'it' } }",
        "{ kill: { server: 'it', group: true, signal: 'SIGTERM' } }",
        "{ refresh: 'it' }",
        "{ await: { gate: 'slow' } }",
        "{ await: { journal: { server: 'it', saw: 'tools/list', times: 2 } } }",
        "{ await: { state: { server: 'it', is: 'dropped', tools: 1, listings: 2, restarts: 1 } } }",
    ] {
        for list in ["before", "during"] {
            check(
                &format!(
                    "{{ title: 't', proves: 'p', {servers},\nexchanges: [{{ {list}: [{event}] }}] }}"
                ),
                &[],
            );
        }
    }
}

#[test]
fn a_script_is_checked_with_the_scenario() {
    let found = problems(
        "{ title: 't', proves: 'p', servers: { a: {\n tools: [],\n nonsense: 1 } }, client: [{ connect: { server: 'a' } }] }",
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("servers.a"), "{found:?}");
    assert!(found[0].contains("not a behaviour script"), "{found:?}");
}

#[test]
fn files_stay_in_the_sandbox() {
    for place in ["../outside", "/etc/passwd", "a/../../b", ""] {
        let found = problems(&with(&format!("files: {{ {place:?}: 'x' }}")));
        assert_eq!(found.len(), 1, "{place:?}: {found:?}");
        assert!(
            found[0].contains("is not a place in the sandbox"),
            "{found:?}"
        );
    }
    check(
        &with("files: { 'project/a/b.txt': 'x', user: {}, project: '{' }"),
        &[],
    );
}

#[test]
fn every_scenario_of_this_repository_can_be_read_and_names_the_schema() {
    let library = Library::around(Path::new(env!("CARGO_MANIFEST_DIR")));
    for source in library.scenarios().expect("the scenarios can be listed") {
        match read(&source) {
            Ok(scenario) => assert_eq!(
                scenario.schema.as_deref(),
                Some("../scenario.schema.json"),
                "{} names no JSON Schema, so editors cannot help",
                source.file
            ),
            Err(error) => panic!("{}", error.render(mcp_harness::terminal::Style::Plain)),
        }
    }
}

#[test]
fn every_scenario_fits_the_json_schema() {
    let schema = serde_json::value::RawValue::from_string(json_schema()).expect("it is JSON");
    let schema = mcp_schema::ToolSchema::new(schema);
    assert_eq!(schema.notes(), [], "the whole schema is checked");
    let library = Library::around(Path::new(env!("CARGO_MANIFEST_DIR")));
    for source in library.scenarios().expect("the scenarios can be listed") {
        let parsed = mcp_config::document::parse(&source.file, &source.text);
        let json = parsed
            .document
            .expect("every scenario can be read")
            .root()
            .to_json();
        if let Err(violations) = schema.prepare(Some(&json)) {
            panic!("{}: {violations}", source.file);
        }
    }
}

#[test]
fn the_json_schema_refuses_what_the_reader_refuses() {
    let schema = serde_json::value::RawValue::from_string(json_schema()).expect("it is JSON");
    let schema = mcp_schema::ToolSchema::new(schema);
    for text in [
        r#"{"title":"t"}"#,
        r#"{"title":"t","proves":"p","tittle":1}"#,
        r#"{"title":"t","proves":"p","exchanges":[{"moves":[{"cal":{"tool":"x"}}]}]}"#,
        r#"{"title":"t","proves":"p","exchanges":[{"moves":[{"call":{"tol":"x"}}]}]}"#,
        r#"{"title":"t","proves":"p","session":{"images":"maybe"}}"#,
    ] {
        assert!(
            schema.prepare(Some(text)).is_err(),
            "the schema takes {text}"
        );
        assert!(!problems(text).is_empty(), "the reader takes {text}");
    }
}

#[test]
fn the_json_schema_in_the_repository_is_the_one_of_the_types() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/scenarios/scenario.schema.json"
    );
    let kept = fs::read_to_string(file).expect("the schema is in the repository");
    assert!(
        kept == json_schema(),
        "the scenario language changed; write its schema with\n    cargo run -p mcp-harness --example \
         scenario-schema > fixtures/scenarios/scenario.schema.json"
    );
}

#[test]
fn a_web_server_is_one_whose_script_says_so() {
    let client = |servers: &str, first: &str| {
        format!("{{ title: 't', proves: 'p', servers: {servers},\nclient: [{first}] }}")
    };
    check(
        &client("{ w: { http: {} } }", "{ connect: { web: 'w' } }"),
        &[],
    );
    check(
        &client(
            "{ w: { http: {} } }",
            "{ event: { stop: 'w' } }, { connect: { web: 'w' } }",
        ),
        &[],
    );
    check(
        &with("servers: { w: { http: {} } }, files: { user: { url: '$URL(w)' } }"),
        &[],
    );
    check(
        &client("{ a: {} }", "{ connect: { web: 'a' } }"),
        &["2:28 client[0].connect.web: the script of `a` is not played over HTTP"],
    );
    check(
        &client("{ a: {} }", "{ connect: { server: 'a', web: 'a' } }"),
        &[
            "2:21 client[0].connect: a connection needs one of `server`, `web`, `command` and `url`",
            "1:42 servers.a: the server `a` is never started",
        ],
    );
    check(
        &client(
            "{ a: { calls: { t: 'cut' } } }",
            "{ connect: { server: 'a' } }",
        ),
        &["1:56 servers.a.calls.t: not a behaviour script: calls.t: needs --http"],
    );
}
