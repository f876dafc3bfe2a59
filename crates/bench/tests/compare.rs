//! Clients in other languages are measured where they are installed, and their failures are told.
//! Programs of the same names stand in for them here.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// The command, as it lies in a target folder of its own.
struct Target(tempfile::TempDir);

impl Target {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let program = folder.path().join("debug/mcp-bench");
        fs::create_dir(folder.path().join("debug")).expect("a folder can be made");
        fs::copy(env!("CARGO_BIN_EXE_mcp-bench"), program).expect("the command can be copied");
        Self(folder)
    }

    fn write(&self, file: &str, text: &str) {
        let file = self.0.path().join("bench-peers").join(file);
        let folder = file.parent().expect("it lies in a folder");
        fs::create_dir_all(folder).expect("a folder can be made");
        fs::write(&file, text).expect("a file can be written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }

    fn compare(&self, json: &Path) -> Output {
        Command::new(self.0.path().join("debug/mcp-bench"))
            .args(["list", "--compare", "--runs", "1", "--json"])
            .arg(json)
            .env("PATH", self.0.path().join("bench-peers"))
            .output()
            .expect("the command can be started")
    }
}

#[test]
fn a_client_that_fails_is_told_beside_those_that_do_not() {
    let target = Target::new();
    target.write("versions.txt", "typescript: client 1\npython: mcp 2\n");
    target.write("node", "#!/bin/sh\necho '{\"cpu_ms\": 7.5}'\n");
    target.write(
        "python/bin/python",
        "#!/bin/sh\necho stack >&2\necho 'too | large' >&2\nexit 1\n",
    );
    target.write(
        "fastmcp/bin/python",
        "#!/bin/sh\necho \"{\\\"cpu_ms\\\": $#}\"\n",
    );
    let json = target.0.path().join("figures.json");
    let output = target.compare(&json);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        shown.contains("\n  python fails: too | large (exit status: 1)\n"),
        "{shown}"
    );

    let text = fs::read_to_string(&json).expect("the file was written");
    let report: Value = serde_json::from_str(&text).expect("the file is JSON");
    let median = |row: &str| {
        let results = report["suites"][0]["results"].as_array()?;
        let of_row = results
            .iter()
            .find(|result| result["row"] == row && result["metric"] == "cpu_ms");
        of_row?["median"].as_f64()
    };
    assert_eq!(median("typescript"), Some(7.5));
    // PROGRAM LINK WORKLOAD COUNT TEXT, and the server with its five arguments.
    assert_eq!(median("fastmcp"), Some(11.0));
    assert_eq!(median("python"), None);
    assert!(median("ours").is_some());
    assert_eq!(
        report["suites"][0]["failures"]["python"],
        "too | large (exit status: 1)"
    );
    let versions = report["versions"].to_string();
    assert!(versions.contains("python: mcp 2"), "{versions}");
}

#[test]
fn without_the_clients_the_script_that_installs_them_is_named() {
    let target = Target::new();
    let output = target.compare(&target.0.path().join("figures.json"));
    assert!(!output.status.success());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("run scripts/bench-peers.sh"), "{told}");
}
