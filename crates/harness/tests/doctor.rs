//! `mcp-harness doctor`: each kind of failure with what to do about it, and an exit code for each kind.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod machine;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use machine::{BINARY, Machine, NOTES, Ran, parts, server};
use serde_json::Value;

/// Never answers the handshake.
const SILENT: &str = r#"{"rules":[{"when":"server/discover","do":[]},{"when":"initialize","do":[{"stderr":"waiting for a license\n"}]}]}"#;
/// Says why it cannot run, and ends.
const BROKEN: &str =
    r#"{"rules":[{"when":"start","do":[{"stderr":"missing module x\n"},{"exit":1}]}]}"#;

fn doctor(machine: &Machine, more: &[&str]) -> Ran {
    let mut arguments = vec!["doctor"];
    arguments.extend(more);
    machine.run(&arguments)
}

/// Whether `entries` end with this code, and the report says all of it.
fn check(entries: &str, code: i32, says: &[&str]) -> Ran {
    check_with(&[], entries, code, says)
}

fn check_with(options: &[&str], entries: &str, code: i32, says: &[&str]) -> Ran {
    let machine = Machine::new();
    let config = machine.config(entries);
    let ran = doctor(&machine, &[&["--config", &config], options].concat());
    ran.says(code, says);
    let blank = ran.out.lines().find(|line| line.ends_with(' '));
    assert_eq!(blank, None, "a line ends in blanks");
    ran
}

#[test]
fn a_server_that_is_well_is_shown_with_all_that_is_known_of_it() {
    let entry = server("notes", NOTES);
    let entry = entry.strip_suffix('}').expect("an entry is an object");
    let ran = check(
        &format!(
            "{entry}, \"toolExposure\": {{\"a*\": \"hidden\"}}}}, \"off\": {{\"command\": \"x\", \"enabled\": false}}"
        ),
        0,
        &[
            "notes: ready  stdio, fixture 1.0.0, MCP 2025-11-25 by initialize",
            "1 tool, 1 of them not given to the model",
            "resolve ",
            ", connect ",
            ", list ",
            "off: switched off",
            "2 servers: 1 ready, 1 switched off",
            "notes: ready after ",
        ],
    );
    assert!(!ran.out.contains("to do:"), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
}

#[test]
fn a_command_that_is_not_there_is_told_with_how_to_get_it() {
    let not_found = [
        ("npx", "install Node.js"),
        ("uvx", "install uv"),
        ("no-such-program", "`command -v no-such-program`"),
        ("./no/such/file", "correct the path"),
    ];
    for (command, advice) in not_found {
        let entry =
            format!("\"it\": {{\"command\": {command:?}, \"env\": {{\"PATH\": \"/nowhere\"}}}}");
        check(
            &entry,
            1,
            &["it: failed", "was not found", "to do:", advice],
        );
    }
}

#[test]
fn what_keeps_a_process_from_being_a_server_is_told_apart() {
    let cases = [
        (server("it", BROKEN), "missing module x", "run it by hand"),
        (
            "\"it\": {\"command\": \"/etc/hostname\"}".to_owned(),
            "cannot be run",
            "chmod +x",
        ),
        (
            "\"it\": {\"command\": \"sh\", \"cwd\": \"/no/such/folder\"}".to_owned(),
            "/no/such/folder does not exist",
            "correct `cwd`",
        ),
        (
            "\"it\": {\"command\": \"sh\", \"args\": [\"-c\", \"echo it is me; exit\"]}".to_owned(),
            "a line on stdout was no message: it is me",
            "run it by hand, and see what it says: sh -c 'echo it is me; exit'",
        ),
    ];
    for (entry, says, advice) in cases {
        check(&entry, 1, &["it: failed", says, "to do:", advice]);
    }
}

#[test]
fn a_hung_server_ends_after_the_bound_and_holds_nobody() {
    let entries = format!("{}, {}", server("hung", SILENT), server("notes", NOTES));
    check_with(
        &["--timeout", "2"],
        &entries,
        1,
        &[
            "hung: failed",
            "did not answer within 2 s",
            "waiting for a license",
            "raise `startTimeoutMs`, and --timeout here",
            "notes: ready",
            "2 servers: 1 ready, 1 failed",
        ],
    );
    let unlisted = r#"{"tools":[],"rules":[{"when":"tools/list","do":[]}]}"#;
    check_with(
        &["--timeout", "2"],
        &server("hung", unlisted),
        1,
        &[
            "no answer to tools/list within 2 s",
            "did not list its tools",
        ],
    );
}

#[test]
fn missing_variables_and_credentials_have_an_exit_code_of_their_own() {
    check(
        "\"it\": {\"command\": \"sh\", \"env\": {\"A\": \"${NOT_SET_HERE}\"}}",
        4,
        &[
            "it: failed  stdio\n",
            "\n  env.A: environment variable NOT_SET_HERE is not set",
            "set NOT_SET_HERE where the host is started",
            "${NOT_SET_HERE:-…}",
        ],
    );
    check(
        "\"it\": {\"command\": \"sh\", \"env\": {\"A\": \"!exit 7\"}}",
        4,
        &[
            "the command ended with",
            "run the command of that value by hand",
        ],
    );
    let refuse = answering("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
    check(
        &format!("\"it\": {{\"url\": \"{refuse}\"}}"),
        4,
        &["asks for credentials (401)", "add headers.Authorization"],
    );
}

#[test]
fn what_is_wrong_with_a_url_is_told_apart() {
    let page =
        "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>no</p>";
    let plain = answering("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        format!("http://{}/mcp", listener.local_addr().expect("it is bound"))
    };
    for (url, advice) in [
        (answering(page), "correct the path of `url`"),
        (
            plain.replace("http:", "https:"),
            "write http:// instead of https://",
        ),
        (
            closed,
            "start the server, or correct host and port in `url`",
        ),
    ] {
        check(
            &format!("\"it\": {{\"url\": \"{url}\"}}"),
            1,
            &["it: failed  http", "to do:", advice],
        );
    }
}

/// The URL of something that answers each connection with this text, as long as the test runs.
fn answering(text: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/x", listener.local_addr().expect("it is bound"));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            // A client that goes away needs no answer.
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(text.as_bytes());
        }
    });
    url
}

#[test]
fn errors_of_the_files_come_first() {
    let entries = format!("\"empty\": {{}}, {}", server("broken", BROKEN));
    check(
        &entries,
        3,
        &[
            "error: ",
            "mcp.json:1:",
            "empty: failed",
            "mend its entry",
            "broken: failed",
        ],
    );
    let machine = Machine::new();
    let missing = machine.path("work/none.json").display().to_string();
    doctor(&machine, &["--config", &missing]).says(3, &["none.json", "does not exist"]);
    doctor(&machine, &[]).says(
        0,
        &["no servers are configured in ", "home/.codework/mcp.json"],
    );
}

#[test]
fn an_untrusted_project_is_not_started_and_the_rest_is_examined() {
    let machine = Machine::new();
    machine.write(
        "home/.codework/mcp.json",
        &format!("{{\"mcpServers\": {{{}}}}}", server("mine", NOTES)),
    );
    let theirs = format!("{{\"mcpServers\": {{{}}}}}", server("theirs", NOTES));
    let file = machine.write("project/.codework/mcp.json", &theirs);
    let project = machine.path("project").display().to_string();
    doctor(&machine, &["--project", &project]).says(
        5,
        &[
            "mine: ready",
            "theirs: waits for approval",
            &format!("{} came with the project", file.display()),
            "--trust-project",
        ],
    );
    doctor(&machine, &["--project", &project, "--trust-project"])
        .says(0, &["mine: ready", "theirs: ready"]);
}

#[test]
fn the_json_form_has_exactly_the_documented_members() {
    let machine = Machine::new();
    let entries = format!("{}, {}", server("notes", NOTES), server("broken", BROKEN));
    let config = machine.config(&entries);
    let ran = doctor(&machine, &["--config", &config, "--json"]);
    let json = ran.json();
    assert_eq!(ran.code, 1);
    assert_eq!(parts(&json), ["exitCode", "problems", "servers"]);
    assert_eq!(json["exitCode"], 1);
    let members = [
        "advice",
        "configured",
        "era",
        "error",
        "failure",
        "hidden",
        "implementation",
        "notes",
        "stages",
        "state",
        "stderr",
        "tokens",
        "tools",
        "transport",
        "version",
    ];
    for server in ["notes", "broken"] {
        assert_eq!(parts(&json["servers"][server]), members, "{server}");
    }
    let notes = &json["servers"]["notes"];
    assert_eq!(
        (&notes["state"], &notes["failure"]),
        (&"ready".into(), &Value::Null)
    );
    let stages = notes["stages"].as_array().expect("it is a list").iter();
    let stages: Vec<_> = stages
        .map(|stage| stage["stage"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(stages, ["resolve", "connect", "list"]);
    let broken = &json["servers"]["broken"];
    assert_eq!(broken["failure"], "exited");
    assert_eq!(broken["stderr"], "missing module x");
    assert!(
        !broken["advice"]
            .as_array()
            .expect("it is a list")
            .is_empty()
    );
}

#[test]
fn nothing_that_a_server_says_can_control_the_terminal_or_show_a_secret() {
    let script = r#"printf '\033[2J\342\200\256%s\n' \"$KEY\" >&2; exit 1"#;
    let entry = format!(
        "\"it\": {{\"command\": \"sh\", \"args\": [\"-c\", {}]",
        Value::from(script.replace("\\\"", "\""))
    );
    let machine = Machine::new();
    let config = machine.config(&format!(
        "{entry}, \"env\": {{\"KEY\": \"${{SECRET_KEY}}\"}}}}"
    ));
    let mut command = machine.command(&["doctor", "--config", &config]);
    let output = command
        .env("SECRET_KEY", "hunter2-token")
        .output()
        .expect("it can be started");
    let ran = machine::ran(&output);
    ran.says(1, &["it: failed", "\\u{1b}[2J", "[SECRET]"]);
    let all = ran.out + &ran.err;
    let hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!all.contains(hidden) && !all.contains("hunter2"), "{all:?}");
}

/// The command on a terminal, with these answers typed; nothing where `script` cannot give it one.
fn on_terminal(machine: &Machine, arguments: &str, answers: &str) -> Option<Ran> {
    if !Path::new("/usr/bin/script").exists() {
        return None;
    }
    let command = machine.command(&[]);
    let mut script = Command::new("/usr/bin/script");
    script
        .args(["-qec", &format!("{BINARY} doctor {arguments}"), "/dev/null"])
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .env("TERM", "xterm")
        .current_dir(machine.path("work"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = script.spawn().expect("script runs");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(answers.as_bytes()).expect("it reads");
    drop(input);
    Some(machine::ran(&child.wait_with_output().expect("it ends")))
}

#[test]
fn on_a_terminal_a_person_is_asked_and_sees_what_is_waited_for() {
    let machine = Machine::new();
    let entries = format!("{{\"mcpServers\": {{{}}}}}", server("theirs", SILENT));
    machine.write("project/.codework/mcp.json", &entries);
    let arguments = format!(
        "--project {} --timeout 1",
        machine.path("project").display()
    );
    if let Some(refused) = on_terminal(&machine, &arguments, "n\n") {
        refused.says(5, &["theirs", "[y/N]", "waits for approval"]);
        let approved = on_terminal(&machine, &arguments, "y\n").expect("it ran before");
        approved.says(
            1,
            &[
                "[y/N]",
                "theirs: waiting for its handshake",
                "did not answer within 1 s",
            ],
        );
    }
}
