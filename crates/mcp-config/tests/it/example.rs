//! The `explain` example as a person runs it.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::support::Files;

/// The example's program, which cargo builds beside this test.
pub(crate) fn explain(arguments: &[&str]) -> Option<Output> {
    let test = std::env::current_exe().unwrap();
    let program: PathBuf = test.parent()?.parent()?.join("examples/explain");
    if !program.exists() {
        println!("skipped: {} was not built", program.display());
        return None;
    }
    Some(
        Command::new(program)
            .args(arguments)
            .env_clear()
            .output()
            .unwrap(),
    )
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn it_ends_with_one_where_there_are_errors_and_prints_json_all_the_same() {
    let files = Files::new();
    let user = files.write(
        "user.json",
        r#"{"mcpServers": {"a": {"command": "srv"}, "b": {}}}"#,
    );
    let project = files.write(
        "project.json",
        r#"{"mcpServers": {"a": {"enabled": false}}}"#,
    );
    let (user, project) = (user.to_str().unwrap(), project.to_str().unwrap());
    let both = ["--user-file", user, "--project-file", project];
    let Some(untrusted) = explain(&both) else {
        return;
    };
    let (shown, told) = (text(&untrusted.stdout), text(&untrusted.stderr));
    assert!(shown.contains("a: valid (user:"), "{shown}");
    assert!(told.contains("no effect until it is approved"), "{told}");
    let output = explain(&[&both[..], &["--trust-project", "--json"]].concat()).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["servers"]["a"]["enabled"], false);
    let problem = &json["problems"][0];
    assert_eq!(problem["path"], "mcpServers.b");
    for member in [
        "severity", "file", "line", "column", "path", "message", "help",
    ] {
        assert!(problem.get(member).is_some(), "{member}");
    }

    let output = explain(&["--project-file", project, "--trust-project"]).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).contains("a: failed"),
        "{}",
        text(&output.stdout)
    );
    assert!(text(&output.stderr).contains("error: there is no server of this name to override"));
}

#[test]
fn it_ends_with_zero_where_there_are_only_warnings() {
    let files = Files::new();
    let user = files.write(
        "user.json",
        r#"{"mcpServers": {"a": {"command": "srv", "quux": 1}}}"#,
    );
    let Some(output) = explain(&["--user-file", user.to_str().unwrap()]) else {
        return;
    };
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("warning: unknown member `quux`"));
}

#[test]
fn wrong_options_and_missing_files_are_told() {
    let Some(output) = explain(&["--bogus"]) else {
        return;
    };
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("unknown option --bogus"));
    assert_eq!(explain(&["--user-file"]).unwrap().status.code(), Some(2));
    assert_eq!(explain(&["--help"]).unwrap().status.code(), Some(0));
    let output = explain(&["--user-file", "/nowhere/mcp.json"]).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the file does not exist"));
}
