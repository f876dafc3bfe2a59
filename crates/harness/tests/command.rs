//! The command as people and scripts meet it: output, messages, exit codes.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod machine;

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use machine::{BINARY, Machine, NOTES, parts, ran, server};

#[test]
fn without_arguments_it_prints_help_with_examples_and_exit_codes() {
    let machine = Machine::new();
    machine.run(&[]).says(
        2,
        &["Usage:", "Examples:", "mcp-harness run", "Exit codes:"],
    );
    let help = machine.run(&["--help"]);
    help.says(0, &["Examples:", "Exit codes:", "mcp-harness config check"]);
    assert!(
        !help.out.contains("fixture-server"),
        "the hidden subcommand is hidden"
    );
}

#[test]
fn tools_prints_what_a_model_would_be_given() {
    let machine = Machine::new();
    let config = machine.config(&server("notes", NOTES));
    let shown = machine.run(&["tools", "--config", &config]);
    shown.says(
        0,
        &[
            "notes: ready, 2025-11-25, 1 tool, about ",
            "mcp__notes__add  Adds a note.",
            "1 tool for the model, about ",
            " tokens (an estimate",
        ],
    );
    assert!(
        !shown.out.contains('\u{1b}'),
        "no colour where no terminal is: {}",
        shown.out
    );
}

#[test]
fn tools_counts_what_the_model_is_not_given() {
    let machine = Machine::new();
    let entry = server("notes", NOTES);
    let entry = entry.strip_suffix('}').expect("an entry is an object");
    let config = machine.config(&format!("{entry}, \"exposure\": \"hidden\"}}"));
    let shown = machine.run(&["tools", "--config", &config]);
    shown.says(
        0,
        &[
            "1 tool, 1 of them not given to the model",
            "  add (hidden by exposure)  Adds a note.",
        ],
    );
    assert!(!shown.out.contains("mcp__notes__add"), "{}", shown.out);
}

#[test]
fn tools_as_json_has_exactly_the_documented_members() {
    let machine = Machine::new();
    let config = machine.config(&format!("{}, \"bad\": {{}}", server("notes", NOTES)));
    let ran = machine.run(&["tools", "--config", &config, "--json"]);
    let json = ran.json();
    assert_eq!(ran.code, 1, "an entry is wrong");
    assert_eq!(
        parts(&json),
        ["hidden", "problems", "servers", "tokens", "tools"]
    );
    assert_eq!(parts(&json["servers"]), ["bad", "notes"]);
    assert_eq!(
        parts(&json["servers"]["notes"]),
        ["error", "state", "tokens", "version"]
    );
    assert_eq!(json["servers"]["notes"]["state"], "ready");
    assert_eq!(json["servers"]["notes"]["error"], Value::Null);
    assert_eq!(json["servers"]["bad"]["state"], "failed");
    assert!(json["servers"]["bad"]["error"].is_string());
    assert_eq!(
        parts(&json["tools"][0]),
        [
            "description",
            "inputSchema",
            "name",
            "rawName",
            "server",
            "tokens"
        ]
    );
    assert_eq!(json["tools"][0]["rawName"], "add");
    assert!(
        !json["problems"]
            .as_array()
            .expect("it is a list")
            .is_empty()
    );
}

#[test]
fn tools_explains_one_tool_with_its_whole_story() {
    let machine = Machine::new();
    let script = r#"{"tools":[{"name":"read.all","title":"Reads","description":"Reads it.\nAll of it.",
        "annotations":{"readOnlyHint":true},"outputSchema":{"type":"object"},
        "inputSchema":{"type":"object","properties":{"z":{"pattern":"("},"a":{}}}}, {"name":"drop","inputSchema":{}}]}"#;
    let entry = server("files", script);
    let entry = entry.strip_suffix('}').expect("an entry is an object");
    let config = machine.config(&format!(
        "{entry}, \"toolExposure\": {{\"d*\": \"hidden\", \"read*\": \"direct\"}}}}"
    ));
    let explain = |name: &str, more: &[&str]| {
        let mut arguments = vec!["tools", "--config", &config, "--explain", name];
        arguments.extend(more);
        machine.run(&arguments)
    };
    let story = explain("mcp__files__read_all", &[]);
    story.says(
        0,
        &[
            "mcp__files__read_all\n",
            "server       files (user: ",
            "mcp.json:1:17)",
            "raw name     read.all",
            "name         server and raw name, with _ for what names cannot hold",
            "visible      yes, by toolExposure \"read*\"",
            "annotations  {\"readOnlyHint\":true}",
            "tokens       about ",
            "arguments    checked before each call, but for what the notes say",
            "note: ",
            "description\n  Reads it.\n  All of it.\n",
            "input schema\n  {\n    \"type\": \"object\",\n",
            "output schema\n",
        ],
    );
    explain("drop", &[]).says(0, &["visible      no, hidden by toolExposure \"d*\""]);
    explain("files/drop", &[]).says(0, &["raw name     drop"]);
    explain("other", &[]).says(2, &["there is no tool \"other\"\n"]);
    let json = explain("drop", &["--json"]).json();
    assert_eq!(
        parts(&json),
        [
            "annotations",
            "configured",
            "coverage",
            "description",
            "exposure",
            "inputSchema",
            "name",
            "naming",
            "notes",
            "outputSchema",
            "rawName",
            "rule",
            "server",
            "title",
            "tokens",
            "withheld"
        ]
    );
    assert_eq!((&json["name"], &json["rule"]), (&Value::Null, &"d*".into()));
}

#[test]
fn a_long_wait_says_what_is_waited_for() {
    let machine = Machine::new();
    let script = r#"{"rules":[{"when":"server/discover","do":[]},{"when":"initialize","do":[]}]}"#;
    let entry = server("slow", script);
    let entry = entry.strip_suffix('}').expect("an entry is an object");
    let config = machine.config(&format!("{entry}, \"startTimeoutMs\": 3500}}"));
    machine.run(&["tools", "--config", &config]).says(
        1,
        &[
            "slow: waiting for its handshake (",
            "slow: failed",
            "did not answer within 3.5 s",
        ],
    );
}

#[test]
fn a_hidden_server_costs_the_failed_ones_no_second_attempt() {
    let machine = Machine::new();
    let entry = server("hidden", NOTES);
    let entry = entry.strip_suffix('}').expect("an entry is an object");
    let config = machine.config(&format!(
        "{entry}, \"exposure\": \"hidden\"}}, \"gone\": {{\"command\": \"no-such-program\"}}"
    ));
    machine
        .run(&["tools", "--config", &config])
        .says(1, &["hidden: ready", "gone: failed"]);
}

#[test]
fn call_shows_progress_as_it_comes() {
    let machine = Machine::new();
    let script = r#"{"tools":[{"name":"steps","inputSchema":{}}],"calls":{"steps":[
        {"progress":{"progress":1,"total":4,"message":"one\u001b[2J"}},{"progress":{"progress":2.5}},{"text":"done"}]}}"#;
    let config = machine.config(&server("it", script));
    let ran = machine.run(&["call", "mcp__it__steps", "--config", &config]);
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (
            0,
            "done\n",
            "progress 1 of 4: one\\u{1b}[2J\nprogress 2.5\n"
        )
    );
}

#[test]
fn tools_as_json_keeps_the_bytes_of_each_schema() {
    let machine = Machine::new();
    let config = machine.config(&server("notes", NOTES));
    let schema = r#"{ "type":"object",  "properties":{"z":{"const":1.0},"a":{}} }"#;
    machine
        .run(&["tools", "--config", &config, "--json"])
        .says(0, &[schema]);
}

#[test]
fn call_runs_one_tool() {
    let machine = Machine::new();
    let script = r#"{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}, {"name":"fail","inputSchema":{"type":"object"}}],
        "calls":{"fail":{"isError":"it is locked"}}}"#;
    let config = machine.config(&server("it", script));
    let json = machine.run(&[
        "call",
        "mcp__it__echo",
        "{\"n\": 1}",
        "--config",
        &config,
        "--json",
    ]);
    assert_eq!(
        (json.code, parts(&json.json())),
        (0, vec!["content".to_owned(), "isError".to_owned()])
    );
    machine
        .run(&["call", "mcp__it__echo", "{\"n\": 1}", "--config", &config])
        .says(0, &["{\"n\": 1}"]);
    machine
        .run(&[
            "call",
            "mcp__it__echo",
            "{\"n\": \"x\"}",
            "--config",
            &config,
        ])
        .says(1, &["n"]);
    machine
        .run(&["call", "mcp__it__echo", "{\"n\":", "--config", &config])
        .says(1, &["JSON"]);
    machine
        .run(&["call", "mcp__it__fail", "{}", "--config", &config])
        .says(1, &["it is locked"]);
    machine
        .run(&["call", "mcp__it__other", "{}", "--config", &config])
        .says(
            2,
            &[
                "there is no tool \"mcp__it__other\"",
                "`mcp-harness tools` with the same options lists the tools",
            ],
        );
}

#[test]
fn call_takes_the_names_that_explain_takes() {
    let machine = Machine::new();
    let two = r#"{"tools":[{"name":"add","inputSchema":{}},{"name":"sum","inputSchema":{}}],"calls":{"add":{"text":"two"},"sum":{"text":"sum"}}}"#;
    let two = server("two", two);
    let two = two.strip_suffix('}').expect("an entry is an object");
    let config = machine.config(&format!(
        "{}, {two}, \"toolExposure\": {{\"secret*\": \"hidden\"}}}}, {}",
        server("notes", NOTES),
        server("kept", r#"{"tools":[{"name":"drop","inputSchema":{}}]}"#)
            .replace("\"command\"", "\"exposure\": \"hidden\", \"command\"")
    ));
    let call = |name: &str| machine.run(&["call", name, "--config", &config]);
    call("sum").says(0, &["sum"]);
    call("two/add").says(0, &["two"]);
    call("add").says(
        2,
        &[
            "several servers have a tool \"add\"",
            "\"notes/add\"",
            "\"two/add\"",
        ],
    );
    call("drop").says(
        2,
        &["tool \"drop\" of server \"kept\" is not given to the model (hidden by exposure)"],
    );
    for near in ["mcp__two__sun", "two/sun", "suum", "mcp_two_sum"] {
        call(near).says(
            2,
            &[&format!(
                "there is no tool {near:?}; did you mean \"mcp__two__sum\"?"
            )],
        );
    }
    let far = call("entirely-different");
    far.says(2, &["there is no tool \"entirely-different\"\n"]);
    assert!(
        !far.err.contains("exchange") && far.out.is_empty(),
        "{}{}",
        far.out,
        far.err
    );
    let json = machine.run(&["call", "suum", "--config", &config, "--json"]);
    assert_eq!(
        (json.code, &json.json()["isError"]),
        (2, &Value::Bool(true))
    );
    json.says(2, &["did you mean"]);
}

#[test]
fn a_call_of_a_missing_tool_says_which_servers_and_files_are_in_trouble() {
    let machine = Machine::new();
    let gone = machine.config(&format!(
        "\"gone\": {{\"command\": \"no-such-program\"}}, {}",
        server("notes", NOTES)
    ));
    let missing = machine.path("work/none.json").display().to_string();
    for command in [
        &["call", "mcp__gone__echo"][..],
        &["tools", "--explain", "mcp__gone__echo"],
    ] {
        let with = |config: &str| machine.run(&[command, &["--config", config]].concat());
        with(&gone).says(
            1,
            &[
                "there is no tool \"mcp__gone__echo\"",
                "\"gone\" did not start, so its tools are not known",
                "gone: failed",
                "\"no-such-program\" was not found",
            ],
        );
        with(&missing).says(1, &["none.json: error: the file does not exist"]);
    }
    let json = machine.run(&["call", "mcp__gone__echo", "--config", &gone, "--json"]);
    let text = json.json()["content"][0]["text"].to_string();
    assert_eq!(json.code, 1);
    assert!(text.contains("no-such-program"), "{text}");
    let config = machine.config(&server("odd", r#"{"tools":[{"name":"add"}]}"#));
    machine
        .run(&["call", "mcp__odd__add", "--config", &config])
        .says(2, &["odd: ready", "inputSchema"]);
    let tools = machine.run(&["tools", "--config", &missing]);
    tools.says(1, &["none.json: error: the file does not exist"]);
    assert!(!tools.out.contains("no servers"), "{}", tools.out);
}

#[test]
fn tools_and_call_wait_no_longer_than_they_are_told() {
    let machine = Machine::new();
    let silent = r#"{"rules":[{"when":"server/discover","do":[]},{"when":"initialize","do":[]}]}"#;
    let config = machine.config(&server("slow", silent));
    for command in [&["tools"][..], &["tools", "--explain", "x"], &["call", "x"]] {
        let with = |timeout: &str| {
            machine.run(&[command, &["--config", &config, "--timeout", timeout]].concat())
        };
        with("1").says(1, &["slow: failed", "did not answer within 1 s"]);
        with("0").says(2, &["--timeout", "give a whole number, 1 or more"]);
    }
}

#[test]
fn without_a_home_everything_works_that_needs_none() {
    let machine = Machine::new();
    let config = machine.config(&server("notes", NOTES));
    let homeless = |arguments: &[&str]| {
        let mut command = machine.command(arguments);
        let output = command.env_remove("HOME").output();
        ran(&output.expect("the command can be started"))
    };
    let check = homeless(&["config", "check", "--config", &config]);
    check.says(0, &[]);
    assert_eq!(check.err, "");
    let unlogged = "is logged nowhere; --home DIR names a folder";
    homeless(&["doctor", "--config", &config]).says(0, &["notes: ready", unlogged]);
    homeless(&["call", "add", "--config", &config]).says(0, &["added", unlogged]);
    let work = machine.path("work").display().to_string();
    homeless(&["tools", "--user-config-dir", &work]).says(0, &["notes: ready"]);
    let named = homeless(&["tools", "--home", &work]);
    named.says(0, &["notes: ready"]);
    assert!(!named.err.contains(unlogged), "{}", named.err);
    for command in [&["doctor"][..], &["config", "check"]] {
        homeless(command).says(2, &["HOME is not set", "--home DIR", "--config"]);
    }
}

#[test]
fn bad_configuration_files_are_told_with_their_place() {
    let machine = Machine::new();
    let missing = machine.path("work/none.json").display().to_string();
    let broken = machine.write(
        "work/broken.json",
        "{\n  \"mcpServers\": {\n    \"a\" {}\n  }\n}\n",
    );
    let broken = broken.display().to_string();
    for command in [&["tools"][..], &["config", "check"], &["config", "explain"]] {
        let with = |file: &str| {
            let mut arguments = command.to_vec();
            arguments.extend(["--config", file]);
            machine.run(&arguments)
        };
        with(&missing).says(1, &["none.json"]);
        with(&broken).says(1, &["broken.json:3:9"]);
    }
    let config = machine.config("\"empty\": {\"args\": []}");
    machine
        .run(&["tools", "--config", &config])
        .says(1, &["mcp.json:1:", "empty", "command", "url"]);
}

#[test]
fn each_failed_start_says_what_and_where_and_leaves_the_others_alone() {
    let machine = Machine::new();
    let entries = [
        server("good", NOTES),
        "\"missing\": {\"command\": \"no-such-command-anywhere\"}".to_owned(),
        format!("\"folder\": {{\"command\": {BINARY:?}, \"cwd\": \"/no/such/folder\"}}"),
        server(
            "exits",
            r#"{"rules":[{"when":"start","do":[{"stderr":"missing module x\n"},{"exit":1}]}]}"#,
        ),
        server(
            "noisy",
            r#"{"tools":[{"name":"a","inputSchema":{}}],"rules":[{"when":"start","do":[{"stdout":"starting up\n"}]}]}"#,
        ),
    ];
    let config = machine.config(&entries.join(", "));
    let ran = machine.run(&["tools", "--config", &config]);
    ran.says(
        1,
        &[
            "good: ready",
            "mcp__good__add",
            "missing: failed",
            "no-such-command-anywhere",
            "folder: failed",
            "/no/such/folder",
            "exits: failed",
            "missing module x",
            "noisy: ready",
            "starting up",
        ],
    );
}

#[test]
fn a_project_is_refused_unless_it_is_trusted() {
    let machine = Machine::new();
    let file = machine.write(
        "project/.codework/mcp.json",
        &format!("{{\"mcpServers\": {{{}}}}}", server("theirs", NOTES)),
    );
    let project = machine.path("project").display().to_string();
    let file = file.display().to_string();
    for command in [&["tools"][..], &["call", "mcp__theirs__add", "{}"]] {
        let mut arguments = command.to_vec();
        arguments.extend(["--project", project.as_str()]);
        machine
            .run(&arguments)
            .says(2, &["refused", &file, "--trust-project"]);
        arguments.push("--trust-project");
        machine.run(&arguments).says(0, &[]);
    }
    // Looking at it starts nothing, so it needs no trust.
    machine
        .run(&["config", "check", "--project", &project])
        .says(0, &[]);
    machine
        .run(&["tools", "--project", "/no/such/project"])
        .says(2, &["/no/such/project"]);
}

#[test]
fn a_person_is_asked_once_about_each_entry_of_a_project() {
    if !Path::new("/usr/bin/script").exists() {
        println!("skipped: no `script` command");
        return;
    }
    let machine = Machine::new();
    let entries = |description: &str| {
        let script = format!(
            r#"{{"tools":[{{"name":"a","description":"{description}","inputSchema":{{}}}}]}}"#
        );
        machine.write(
            "project/.codework/mcp.json",
            &format!("{{\"mcpServers\": {{{}}}}}", server("theirs", &script)),
        );
    };
    let on_terminal = |answer: &str| {
        let line = format!(
            "{BINARY} tools --project {}",
            machine.path("project").display()
        );
        let mut command = Command::new("/usr/bin/script");
        command
            .args(["-qec", &line, "/dev/null"])
            .current_dir(machine.path("work"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", machine.path("home"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("script runs");
        let mut input = child.stdin.take().expect("it is piped");
        std::io::Write::write_all(&mut input, answer.as_bytes()).expect("it reads");
        drop(input);
        ran(&child.wait_with_output().expect("it ends"))
    };
    entries("first");
    on_terminal("n\n").says(2, &["theirs", "[y/N]", "refused"]);
    on_terminal("y\n").says(0, &["[y/N]", "theirs: ready"]);
    let project = machine.path("project").display().to_string();
    machine
        .run(&["tools", "--project", &project])
        .says(0, &["theirs: ready"]);
    entries("changed");
    machine
        .run(&["tools", "--project", &project])
        .says(2, &["refused", "theirs", "--trust-project"]);
}

#[test]
fn the_users_file_is_found_by_home_and_by_its_own_folder() {
    let machine = Machine::new();
    machine.write(
        "home/.codework/mcp.json",
        &format!("{{\"mcpServers\": {{{}}}}}", server("mine", NOTES)),
    );
    machine.run(&["tools"]).says(0, &["mine: ready"]);
    machine.write(
        "other/mcp.json",
        &format!("{{\"mcpServers\": {{{}}}}}", server("another", NOTES)),
    );
    let other = machine.path("other").display().to_string();
    machine
        .run(&["tools", "--user-config-dir", &other])
        .says(0, &["another: ready"]);
    machine
        .run(&["tools", "--home", &other])
        .says(0, &["another: ready"]);
    machine
        .run(&["tools", "--home", &other, "--config", "x", "--project", "y"])
        .says(2, &["cannot be used with"]);
}

#[test]
fn what_servers_and_files_say_cannot_control_the_terminal() {
    let machine = Machine::new();
    let evil = "\\u001b[2J\\u001b]0;owned\\u0007\\u202e";
    let script = format!(
        r#"{{"tools":[{{"name":"a","description":"x{evil}","inputSchema":{{}}}}],"calls":{{"a":{{"text":"y{evil}"}}}},"rules":[{{"when":"start","do":[{{"stdout":"noise{evil}\n"}}]}}]}}"#
    );
    let config = machine.config(&format!("{}, \"b{evil}\": {{}}", server("it", &script)));
    for arguments in [
        &["tools", "--config", &config][..],
        &["doctor", "--config", &config],
        &["tools", "--explain", "a", "--config", &config],
        &["call", "mcp__it__a", "{}", "--config", &config],
        &["config", "check", "--config", &config],
        &["config", "explain", "--config", &config],
    ] {
        let ran = machine.run(arguments);
        let hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(
            !ran.out.contains(hidden) && !ran.err.contains(hidden),
            "{arguments:?}: {:?}{:?}",
            ran.out,
            ran.err
        );
        assert!(!ran.out.is_empty(), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn config_explain_as_json_shows_origins_and_problems() {
    let machine = Machine::new();
    let config = machine.config(
        "\"a\": {\"command\": \"run\", \"env\": {\"KEY\": \"hunter2-literal\"}, \"colour\": 1}",
    );
    for command in ["check", "explain"] {
        let ran = machine.run(&["config", command, "--config", &config, "--json"]);
        let json = ran.json();
        assert_eq!(ran.code, 0, "an unknown member is a warning");
        assert!(json["servers"]["a"].get("origin").is_some(), "{json}");
        let problem = &json["problems"][0];
        assert_eq!(
            parts(problem),
            [
                "column", "file", "help", "line", "message", "path", "severity"
            ]
        );
        assert_eq!(problem["severity"], "warning");
        assert!(!ran.out.contains("hunter2"), "literals of env are masked");
    }
}

#[test]
fn config_check_counts_what_it_found_and_where() {
    let machine = Machine::new();
    machine.run(&["config", "check"]).says(
        0,
        &[
            "no servers are configured in ",
            "home/.codework/mcp.json or ",
            "work/.codework/mcp.json\n",
        ],
    );
    let config = machine.config("\"a\": {\"command\": \"run\", \"colour\": 1}");
    machine
        .run(&["config", "check", "--config", &config])
        .says(0, &["1 server in 1 file: 0 errors, 1 warning\n"]);
    let explained = machine.run(&["config", "explain", "--config", &config]);
    explained.says(0, &["a: valid ("]);
    for command in ["check", "explain"] {
        let help = machine.run(&["config", command, "--help"]);
        help.says(0, &["--trust-project", "nothing is started"]);
        assert!(!help.out.contains("start servers"), "{}", help.out);
    }
}

#[test]
fn config_check_tells_what_the_environment_lacks_and_runs_nothing() {
    let machine = Machine::new();
    let config = machine.config(
        "\"a\": {\"command\": \"run\", \"env\": {\"KEY\": \"${NOT_SET_X}\", \"OTHER\": \"!touch ran; exit 1\"}},\n\
         \"off\": {\"command\": \"run\", \"env\": {\"KEY\": \"${NOT_SET_Y}\"}, \"enabled\": false},\n\
         \"set\": {\"command\": \"run\", \"env\": {\"KEY\": \"${HOME}\"}}",
    );
    let ran = machine.run(&["config", "check", "--config", &config]);
    ran.says(
        0,
        &[
            "warning: environment variable NOT_SET_X is not set",
            "mcp.json:1:",
            "${NOT_SET_X:-…}",
            "3 servers in 1 file: 0 errors, 1 warning\n",
        ],
    );
    assert!(!ran.out.contains("NOT_SET_Y"), "{}", ran.out);
    assert!(!machine.path("work/ran").exists(), "a command was run");
    let json = machine
        .run(&["config", "check", "--config", &config, "--json"])
        .json();
    assert_eq!(json["problems"][0]["path"], "mcpServers.a.env.KEY");
}

#[test]
fn no_scenario_passes_by_absence() {
    let machine = Machine::new();
    machine
        .run(&["run", "no-such-scenario"])
        .says(2, &["no-such-scenario", "--list"]);
    machine.run(&["run", "--exact"]).says(2, &["--exact"]);
    for (option, value) in [("--jobs", "0"), ("--repeat", "x"), ("--jobs", "-1")] {
        let given = format!("{option}={value}");
        machine
            .run(&["run", &given])
            .says(2, &[value, option, "give a whole number, 1 or more"]);
    }
    machine
        .run(&["run", "--scenarios", "x"])
        .says(2, &["--artifacts"]);
    machine
        .run(&["run", "--scenarios", "/no/such", "--artifacts", "/no/such"])
        .says(2, &["cannot read /no/such"]);
    machine.write("mine/calc/one.json5", "{}");
    let with = |scenarios: &str, more: &[&str]| {
        let folders = ["run", "--scenarios", scenarios, "--artifacts", "../golden"];
        machine.run(&[&folders, more].concat())
    };
    with("../mine", &["nosuch"]).says(
        2,
        &["`mcp-harness run --scenarios ../mine --artifacts ../golden --list` prints all names"],
    );
    let report = ["--report", "junit=report.xml"];
    with("../mine/calc", &report).says(
        2,
        &[
            "there is no scenario in ../mine/calc",
            "one.json5 lies directly in it",
            "--scenarios ../mine",
        ],
    );
    assert!(!machine.path("work/report.xml").exists(), "nothing was run");
    machine.write("empty/README.md", "");
    with("../empty", &[]).says(
        2,
        &["there is no scenario in ../empty: looked for ../empty/<suite>/NAME.json5"],
    );
    machine.write("mine/above.json5", "{}");
    with("../mine", &["no-strays"]).says(1, &["../mine/above.json5: a scenario in no suite"]);
}

#[test]
fn an_installed_command_runs_the_built_in_scenarios_anywhere() {
    let machine = Machine::new();
    let listed = machine.run(&["run", "--list"]);
    listed.says(0, &["mcp.client/list-and-call"]);
    machine
        .run(&[
            "run",
            "mcp.client/list-and-call",
            "--exact",
            "--jobs",
            "1",
            "--repeat",
            "2",
        ])
        .says(
            0,
            &[
                "PASS   mcp.client/list-and-call (",
                "1 passed, 0 failed in ",
            ],
        );
}

#[test]
fn your_own_scenarios_fail_then_are_accepted_then_pass() {
    let machine = Machine::new();
    machine.write(
        "mine/s/one.json5",
        "{ title: 't', proves: 'p', servers: { it: { tools: [] } }, client: [{ connect: { server: 'it' } }, 'close'] }",
    );
    let with = |more: &[&str]| {
        let mut arguments = vec!["run", "--scenarios", "../mine", "--artifacts", "../golden"];
        arguments.extend(more);
        machine.run(&arguments)
    };
    let advice = "mcp-harness run --scenarios ../mine --artifacts ../golden s/one --exact --accept";
    with(&[]).says(
        1,
        &[
            "FAIL   s/one",
            "s/one.json is missing",
            advice,
            "1 passed, 1 failed",
        ],
    );
    with(&["s/one", "--exact", "--accept"]).says(0, &["ACCEPT s/one", "1 accepted"]);
    with(&[]).says(
        0,
        &[
            "PASS   s/one",
            "PASS   library/no-strays",
            "2 passed, 0 failed",
        ],
    );
    machine.write("golden/s/one.json", "{}\n");
    with(&[]).says(1, &["@@ ", "-{}", "+  \"title\": \"t\""]);
    machine.write("mine/s/two.json5", "{\n  titel: 't',\n}");
    with(&["two"]).says(1, &["two.json5:2:3", "unknown member `titel`", "`title`"]);
    assert!(Path::new(BINARY).is_absolute());
}

#[test]
fn your_own_scenarios_may_start_real_commands_of_your_path() {
    let machine = Machine::new();
    let program = machine.write(
        "tools/my-server",
        &format!("#!/bin/sh\nexec {BINARY} fixture-server --script-json '{NOTES}'\n"),
    );
    make_executable(&program);
    let scenario = |inherit: &str| {
        let text = format!(
            "{{ title: 't', proves: 'p', inherit: [{inherit}], redact: ['/exchanges/*/moves/*/result/content/0/text'],\n\
             files: {{ user: {{ mcpServers: {{ my: {{ command: 'my-server' }} }} }} }},\n\
             exchanges: [{{ moves: [{{ call: {{ tool: 'mcp__my__add', expect: {{ contains: 'added' }} }} }}] }}] }}"
        );
        machine.write("mine/s/one.json5", &text);
        let arguments = [
            "run",
            "s/one",
            "--accept",
            "--scenarios",
            "../mine",
            "--artifacts",
            "../golden",
        ];
        let mut command = machine.command(&arguments);
        let path = format!("{}:/usr/bin:/bin", machine.path("tools").display());
        ran(&command
            .env("PATH", path)
            .output()
            .expect("the command can be started"))
    };
    scenario("").says(1, &["no tool \"mcp__my__add\""]);
    scenario("'PATH', 'NOT_SET_ANYWHERE'").says(0, &["ACCEPT s/one"]);
    let artifact =
        std::fs::read_to_string(machine.path("golden/s/one.json")).expect("it was written");
    assert!(artifact.contains("\"text\": \"[REDACTED]\""), "{artifact}");
    assert!(!artifact.contains("tools/my-server"), "{artifact}");
}

fn make_executable(program: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn colour_is_for_terminals_and_people_who_did_not_refuse_it() {
    let machine = Machine::new();
    // `script` gives the command a terminal; where there is none, this cannot be tried.
    if !Path::new("/usr/bin/script").exists() {
        println!("skipped: no `script` command");
        return;
    }
    let on_terminal = |no_color: Option<&str>| {
        let line = format!("{BINARY} run mcp.client/list-and-call --exact");
        let mut command = Command::new("/usr/bin/script");
        command
            .args(["-qec", &line, "/dev/null"])
            .current_dir(machine.path("work"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", machine.path("home"))
            .env("TERM", "xterm")
            .stdin(Stdio::null());
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        String::from_utf8(command.output().expect("script runs").stdout).expect("it is text")
    };
    // The status line moves the cursor; colour is another matter.
    let green = "\u{1b}[32m";
    assert!(on_terminal(None).contains(green));
    assert!(
        on_terminal(Some("")).contains(green),
        "an empty NO_COLOR is none"
    );
    let plain = on_terminal(Some("1"));
    assert!(
        plain.contains("PASS") && !plain.contains(green),
        "{plain:?}"
    );
}
