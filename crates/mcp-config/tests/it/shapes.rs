//! Files of other programs, in shapes that were met; all of it made up.

use mcp_config::{Outcome, Severity};

use crate::support::{assert_problems, lines, states, user};

/// A file that is none of ours: one error that says whose it is and what to write.
fn check(text: &str, words: &[&str]) {
    let config = user(text);
    assert_eq!(config.sources()[0].outcome(), Outcome::Broken, "{text}");
    assert_eq!(states(&config), "", "{text}");
    let errors: Vec<_> = config
        .problems()
        .iter()
        .filter(|problem| problem.severity() == Severity::Error)
        .cloned()
        .collect();
    assert_problems(text, &errors, &[words]);
}

#[test]
fn files_of_other_programs_are_named_as_what_they_are() {
    check(
        r#"{"servers": {"a": {"type": "stdio", "command": "srv"}}, "inputs": []}"#,
        &["`servers`", "VS Code", "rename `servers` to `mcpServers`"],
    );
    check(
        r#"{"mcp": {"servers": {"a": {"command": "srv"}}}}"#,
        &["VS Code", "mcp.servers"],
    );
    check(
        r#"{"context_servers": {}, "theme": {"mode": "system"}}"#,
        &["Zed", "rename `context_servers`"],
    );
    check(
        r#"{"agent_servers": {"x": {"command": "y"}}}"#,
        &["Zed", "agents"],
    );
    check(
        r#"{"mcp": {"a": {"type": "local", "command": ["npx", "x"], "environment": {}}}}"#,
        &["opencode", "Crush", "`args`"],
    );
    check(
        r#"{"mcp_servers": {"a": {"command": "srv"}}}"#,
        &["Codex", "rename"],
    );
    check(r#"{"extensions": {"a": {"cmd": "srv"}}}"#, &["Goose"]);
}

#[test]
fn files_that_are_nearly_ours_are_named_as_what_they_are() {
    for misspelt in [
        "mcpservers",
        "MCPServers",
        "mcp-servers",
        "mcpServer",
        "mcpSevers",
        "amp.mcpServers",
    ] {
        check(
            &format!(r#"{{"{misspelt}": {{}}}}"#),
            &["misspelling", "mcpServers"],
        );
    }
    check(
        r#"{"a": {"command": "srv"}, "b": {"url": "https://h.invalid"}}"#,
        &["the server `a` stands at the top", "mcpServers"],
    );
    check(
        r#"{"a": {"serverUrl": "https://h.invalid"}}"#,
        &["the server `a` stands at the top"],
    );
    check(
        r#"{"command": "srv", "args": []}"#,
        &["a single entry", "give the server a name"],
    );
    check(
        r#"{"mcpServers": [{"name": "my-rag", "command": "srv"}]}"#,
        &["found an array", "\"my-rag\": {"],
    );
    check(
        r#"{"mcpServers": "./other.json"}"#,
        &["found a string", "not followed"],
    );
    check(r#"{"mcpServers": null}"#, &["found null"]);
    check(
        r#"[{"name": "a", "command": "srv"}]"#,
        &["found an array", "\"a\": {"],
    );
    check(r#""text""#, &["found a string"]);
    check(
        r#"{"tools": [{"name": "x", "command": "y"}]}"#,
        &["the file has no `mcpServers`"],
    );
    check(
        r#"{"hooks": {"Start": []}}"#,
        &["the file has no `mcpServers`", "another program's file?"],
    );
}

#[test]
fn files_in_other_formats_are_named() {
    for text in [
        "[mcp_servers.a]\ncommand = \"srv\"\n",
        "# comment\n[[servers]]\nname = \"a\"\n",
        "command = \"srv\"",
        "[mcp_servers.\"a b\".env]\nK = \"v\"",
    ] {
        check(text, &["TOML"]);
    }
    for text in [
        "mcp_servers:\n  a:\n    command: srv\n",
        "---\nservers: {}\n",
        "- name: a\n",
        "# c\n\nmcpServers:\n",
        "key: value",
    ] {
        check(text, &["YAML"]);
    }
    check("\"mcpServers\": {\n  \"a\": {}\n}", &["put `{` before it"]);
    check("mcpServers: {\n  a: {}\n}", &["put `{` before it"]);
    check("```json\n{ \"mcpServers\": {} }\n```", &["Markdown"]);
    check("<!DOCTYPE html><html>", &["HTML"]);
    check("export default { mcpServers: {} }", &["program"]);
    check("\u{feff}[mcp_servers.a]\ncommand = \"srv\"", &["TOML"]);
}

#[test]
fn mcp_servers_wins_over_other_roots_with_a_warning() {
    let config = user(
        r#"{"servers": {"x": {"command": "x"}}, "mcpServers": {"a": {"command": "srv"}}, "mcp": {}, "inputs": [], "theme": 1, "$schema": "s"}"#,
    );
    assert_eq!(states(&config), "a:ready");
    assert_problems(
        "several roots",
        config.problems(),
        &[
            &[
                "warning servers: `servers`",
                "VS Code",
                "is ignored, because `mcpServers` is there too",
            ],
            &["warning mcp: `mcp`", "is ignored"],
            &["warning inputs: ", "${NAME}"],
            &["warning theme: unknown member `theme`"],
        ],
    );
}

#[test]
fn entries_one_level_too_deep_are_named() {
    for text in [
        r#"{"mcpServers": {"mcpServers": {"a": {"command": "srv"}, "b": {"url": "http://h"}}}}"#,
        r#"{"mcpServers": {"servers": {"a": {"command": "srv"}}}}"#,
    ] {
        let config = user(text);
        assert_problems(
            text,
            config.problems(),
            &[&[
                "holds entries",
                "move `a` and the others up into `mcpServers`",
            ]],
        );
    }
}

#[test]
fn a_big_settings_file_does_not_flood() {
    let members: Vec<String> = (0..500).map(|n| format!("\"setting{n}\": {n}")).collect();
    let config = user(format!(
        "{{{}, \"mcpServers\": {{\"a\": {{\"command\": \"srv\"}}}}}}",
        members.join(", ")
    ));
    assert_eq!(states(&config), "a:ready");
    assert_eq!(config.problems().len(), 9);
    assert!(lines(config.problems())[8].contains("and 492 more unknown members"));
}

#[test]
fn a_command_with_its_arguments_in_an_object_is_taken_apart() {
    let config = user(
        r#"{"mcpServers": {
            "a": {"command": {"path": "npx", "args": ["-y", "pkg"], "env": {"KEY": "tok-planted"}}},
            "b": {"command": {"bin": "npx", "args": ["-y"]}}}}"#,
    );
    assert_problems(
        "objects",
        config.problems(),
        &[
            &[
                "mcpServers.a.command: `command` is the program alone, not an object",
                r#"write "command": "npx", "args": ["-y","pkg"], and `env` beside them"#,
            ],
            &["mcpServers.b.command: ", r#""command": "program""#],
        ],
    );
}

#[test]
fn a_command_behind_a_scheme_is_warned_of() {
    let config = user(
        r#"{"mcpServers": {"a": {"url": "http://h", "headers": {
            "Authorization": "Bearer !pass show token", "X-Note": "Hello !world"}}}}"#,
    );
    assert_problems(
        "a scheme",
        config.problems(),
        &[&[
            "warning mcpServers.a.headers.Authorization: ",
            "stands for itself",
            "a command is the whole value",
        ]],
    );
}
