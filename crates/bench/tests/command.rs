//! The command measures, reports, and says what it does not know.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mcp-bench"))
        .args(arguments)
        .output()
        .expect("the command can be started")
}

#[test]
fn a_suite_is_measured_and_written_as_json() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("figures.json");
    let path = file.to_str().expect("the folder's name is text");
    let output = bench(&["dropped", "--runs", "2", "--json", path]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let shown = String::from_utf8_lossy(&output.stdout);
    for row in ["bare", "ours", "rmcp"] {
        assert!(shown.contains(&format!("\n    {row} ")), "{shown}");
    }

    let text = fs::read_to_string(&file).expect("the file was written");
    let report: Value = serde_json::from_str(&text).expect("the file is JSON");
    assert_eq!(report["suites"][0]["rounds"], 2);
    let results = report["suites"][0]["results"]
        .as_array()
        .expect("there are results");
    let ours = results
        .iter()
        .find(|result| result["row"] == "ours" && result["metric"] == "failure_ms")
        .expect("our client was measured");
    assert_eq!(ours["samples"].as_array().map(Vec::len), Some(2));
    assert!(ours["median"].as_f64().is_some_and(|median| median > 0.0));
    let to_rmcp = ours["ratios"]
        .as_array()
        .and_then(|ratios| ratios.iter().find(|ratio| ratio["to"] == "rmcp"));
    assert!(to_rmcp.is_some());
}

/// Each client over HTTP, with answers of both forms, by the command that measures one row.
#[test]
fn every_client_is_measured_over_http() {
    let subjects = [
        "http-hyper",
        "http-reqwest",
        "http-ours",
        "http-ours-stateless",
        "http-rmcp",
        "http-rmcp-pooled",
    ];
    for subject in subjects {
        for workload in [
            "sequential",
            "sequential-sse",
            "in-flight:64",
            "text-sse:1048576",
        ] {
            let output = bench(&["measure", "any", subject, workload, "3"]);
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{subject} {workload}: {told}");
            let figures: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
            let spent = figures["cpu_us"].as_f64().or(figures["cpu_ms"].as_f64());
            assert!(
                spent.is_some_and(|spent| spent > 0.0),
                "{subject}: {figures}"
            );
        }
    }
}

#[test]
fn an_unknown_suite_is_refused_with_those_that_there_are() {
    let output = bench(&["sequentail"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("'sequentail'"), "{told}");
    assert!(told.contains("sequential, "), "{told}");
}

#[test]
fn a_suite_that_cannot_be_measured_does_not_cost_the_others() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("figures.json");
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-bench"))
        // There is no valgrind in an empty folder.
        .env("PATH", folder.path())
        .args(["instructions", "dropped", "--runs", "1", "--json"])
        .arg(&file)
        .output()
        .expect("the command can be started");
    assert!(!output.status.success());
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        shown.contains("instructions: not measured: bare: valgrind"),
        "{shown}"
    );
    let text = fs::read_to_string(&file).expect("the file was written");
    let report: Value = serde_json::from_str(&text).expect("the file is JSON");
    assert_eq!(report["suites"][0]["name"], "dropped");
}
