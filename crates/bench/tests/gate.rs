//! The gate holds what was recorded, and says how to move it.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

/// Instructions need valgrind, and are judged by the same code.
fn gate(baseline: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mcp-bench-gate"))
        .args(["--allocations-only", "--baseline"])
        .arg(baseline)
        .args(more)
        .output()
        .expect("the gate can be started")
}

fn read(baseline: &Path) -> Value {
    let text = fs::read_to_string(baseline).expect("the baseline was written");
    serde_json::from_str(&text).expect("the baseline is JSON")
}

/// What CI holds, in the build that the tests have anyway.
#[test]
fn the_committed_baseline_holds() {
    let mut gate = Command::new(env!("CARGO_BIN_EXE_mcp-bench-gate"));
    if !has_valgrind() {
        gate.arg("--allocations-only");
    }
    let output = gate.output().expect("the gate can be started");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
}

#[expect(clippy::disallowed_methods, reason = "a test is a program of its own")]
fn has_valgrind() -> bool {
    let found = Command::new("valgrind").arg("--version").output().is_ok();
    let needed = std::env::var_os("MCP_REQUIRE_VALGRIND").is_some();
    assert!(
        found || !needed,
        "MCP_REQUIRE_VALGRIND is set, and there is no valgrind"
    );
    found
}

/// Where the file has the figures of this build.
fn figures(file: &mut Value) -> &mut Value {
    let build = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    &mut file[build]
}

#[test]
fn what_rises_above_the_record_fails_and_the_message_says_how_to_move_it() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("baseline.json");
    let accepted = gate(&file, &["--accept"]);
    let told = String::from_utf8_lossy(&accepted.stderr);
    assert!(accepted.status.success(), "{told}");
    let same = gate(&file, &[]);
    let told = String::from_utf8_lossy(&same.stderr);
    assert!(same.status.success(), "{told}");

    let mut doctored = read(&file);
    let figures = figures(&mut doctored);
    let recorded = figures["stdio call"]["allocations"].as_f64();
    let recorded = recorded.expect("allocations were counted");
    // Now the same call is a quarter above its record, and another is unknown.
    figures["stdio call"]["allocations"] = json!(recorded / 1.25);
    figures["listed tool"] = json!({});
    fs::write(&file, doctored.to_string()).expect("the baseline can be written");
    let risen = gate(&file, &[]);
    assert!(!risen.status.success());
    let told = String::from_utf8_lossy(&risen.stderr);
    for part in [
        "\n  stdio call: ",
        " allocations, +25.",
        "\n  listed tool: ",
        "no record",
        "-p mcp-bench --bin mcp-bench-gate -- --accept",
    ] {
        assert!(told.contains(part), "{part:?} is not in:\n{told}");
    }
    assert!(!told.contains("session call"), "{told}");
}

#[test]
fn what_falls_passes_and_can_be_kept() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("baseline.json");
    assert!(gate(&file, &["--accept"]).status.success());
    let mut doctored = read(&file);
    figures(&mut doctored)["HTTP call"]["allocations"] = json!(1_000_000);
    fs::write(&file, doctored.to_string()).expect("the baseline can be written");
    let fallen = gate(&file, &[]);
    assert!(fallen.status.success());
    let shown = String::from_utf8_lossy(&fallen.stdout);
    assert!(
        shown.contains("What fell can be kept: cargo run "),
        "{shown}"
    );
}

#[test]
fn a_baseline_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let missing = folder.path().join("nothing.json");
    let output = gate(&missing, &[]);
    assert!(!output.status.success());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("nothing.json"), "{told}");
}
