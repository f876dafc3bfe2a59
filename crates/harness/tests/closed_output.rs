//! A reader that goes away (`| head`) ends no work and hides no failure.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod machine;

use std::fs;

use machine::{Machine, NOTES, closed_pipe, server};

/// The exit code of the command when nobody reads its output, and what it says beside that.
fn unread(machine: &Machine, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = machine.command(arguments);
    let output = command.stdout(closed_pipe()).output();
    let output = output.expect("the command can be started");
    let messages = String::from_utf8(output.stderr).expect("the messages are text");
    (output.status.code(), messages)
}

#[test]
fn exit_codes_stay_what_they_are() {
    let machine = Machine::new();
    let fails = r#"{"tools":[{"name":"fail","inputSchema":{}}],"calls":{"fail":{"isError":"it is locked"}}}"#;
    let good = machine.config(&server("it", fails));
    let broken = machine.write("work/broken.json", "{ \"mcpServers\": { \"a\" {} } }");
    let broken = broken.display().to_string();
    for (arguments, code) in [
        (&["call", "mcp__it__fail", "--config", &good][..], 1),
        (&["call", "mcp__it__fail", "--json", "--config", &good], 1),
        (&["tools", "--config", &good], 0),
        (&["tools", "--config", &broken], 1),
        (&["doctor", "--config", &broken], 3),
        (&["doctor", "--json", "--config", &broken], 3),
        (&["config", "check", "--config", &broken], 1),
        (&["config", "explain", "--config", &broken], 1),
        (&["run", "--list"], 0),
        (&["--help"], 0),
        (&["no-such-command"], 2),
    ] {
        let (found, messages) = unread(&machine, arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {messages}");
        assert!(
            !messages.contains("cannot write"),
            "{arguments:?}: {messages}"
        );
    }
    let (_, messages) = unread(
        &machine,
        &[
            "doctor",
            "--config",
            &machine.config(&server("notes", NOTES)),
        ],
    );
    assert!(messages.contains("notes: ready"), "{messages}");
}

#[test]
fn a_run_plays_everything_and_writes_its_reports() {
    let machine = Machine::new();
    for name in ["one", "two"] {
        machine.write(
            &format!("mine/s/{name}.json5"),
            "{ title: 't', proves: 'p', servers: { it: { tools: [] } }, client: [{ connect: { server: 'it' } }, 'close'] }",
        );
    }
    let arguments = [
        "run",
        "--scenarios",
        "../mine",
        "--artifacts",
        "../golden",
        "--report",
        "junit=report.xml",
        "--report",
        "html=report.html",
    ];
    let (code, messages) = unread(&machine, &arguments);
    assert_eq!(code, Some(1), "no artifact is accepted yet: {messages}");
    let junit = fs::read_to_string(machine.path("work/report.xml")).expect("it was written");
    for name in ["s/one", "s/two", "library/no-strays"] {
        assert!(junit.contains(&format!("name=\"{name}\"")), "{junit}");
    }
    assert!(
        machine.path("work/report.html").exists(),
        "both are written"
    );
}
