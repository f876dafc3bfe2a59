//! The example prints exactly what its users read.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "tests fail by panicking, and say what they skip"
)]

use std::path::PathBuf;
use std::process::{Command, Output};

/// Runs the example on two texts; nothing where cargo did not build it for this run.
fn validate(name: &str, schema: &str, arguments: &str) -> Option<Output> {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test
        .parent()
        .and_then(|deps| deps.parent())
        .expect("target/PROFILE/deps");
    let program = folder
        .join("examples")
        .join(format!("validate{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        println!("skipped: {} was not built", program.display());
        return None;
    }
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&scratch).expect("a folder for the test");
    let write = |file: &str, text: &str| {
        let path = scratch.join(file);
        std::fs::write(&path, text).expect("a file for the test");
        path
    };
    let (schema, arguments) = (
        write("schema.json", schema),
        write("arguments.json", arguments),
    );
    Some(
        Command::new(program)
            .arg(schema)
            .arg(arguments)
            .output()
            .expect("the example runs"),
    )
}

#[track_caller]
fn check(name: &str, schema: &str, arguments: &str, expected: &str) {
    if let Some(output) = validate(name, schema, arguments) {
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), expected);
        assert!(output.status.success());
    }
}

const PAGE: &str = r#"{"type":"object","properties":{"query":{"type":"string"},"after":{"type":"string"}},
    "required":["query"],"additionalProperties":false}"#;

#[test]
fn a_valid_call_shows_what_is_sent() {
    check(
        "valid",
        PAGE,
        "{\"query\": \"q\", \"after\": null}\n",
        r#"{"valid":true,"arguments":{"query": "q"},"violations":[],"coverage":"full","notes":[]}"#,
    );
}

#[test]
fn a_wrong_call_shows_its_violations() {
    check(
        "wrong",
        PAGE,
        r#"{"quer":"q"}"#,
        r#"{"valid":false,"arguments":null,"violations":["unknown argument \"quer\" (did you mean \"query\"?)","missing required argument \"query\""],"coverage":"full","notes":[]}"#,
    );
}

#[test]
fn an_odd_schema_shows_its_notes() {
    check(
        "odd",
        r#"{"$schema":"https://example.com/mine","type":"string"}"#,
        "",
        r#"{"valid":true,"arguments":{},"violations":[],"coverage":"none","notes":["$schema: nothing is validated: the dialect \"https://example.com/mine\" is unknown","the tool is withheld: its type is \"string\", not \"object\""]}"#,
    );
}

#[test]
fn a_schema_that_is_no_json_is_told_on_stderr() {
    if let Some(output) = validate("no-json", "{", "{}") {
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("is not valid JSON"));
    }
}
