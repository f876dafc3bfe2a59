//! Short runs of the command: each kind of abuse, withstood.
#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::process::Command;

fn abuse(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-abuse"))
        .args(arguments)
        .output()
        .expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let shown = text(&output.stdout) + &text(&output.stderr);
    (output.status.success(), shown)
}

#[test]
fn chaos_keeps_every_promise() {
    let (kept, text) = abuse(&["chaos", "--calls", "600", "--seed", "1"]);
    assert!(kept, "{text}");
    assert!(text.contains("faults: 0"), "{text}");
}

#[test]
fn a_soak_is_flat() {
    let (kept, text) = abuse(&["soak", "--calls", "2000", "--servers", "8"]);
    assert!(kept, "{text}");
}

#[test]
fn attacks_are_withstood() {
    let (kept, text) = abuse(&["hostile", "stdout-line", "requests-unread", "gzip-bomb"]);
    assert!(kept, "{text}");
}

#[test]
fn an_attack_that_is_not_known_is_told_of() {
    let (kept, text) = abuse(&["hostile", "stdout-lin"]);
    assert!(!kept);
    assert!(text.contains("there is no attack \"stdout-lin\""), "{text}");
    let (_, list) = abuse(&["hostile", "--list"]);
    assert!(list.contains("stdout-line "), "{list}");
}
