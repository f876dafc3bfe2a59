//! What artifacts are made of: JSON that keeps what reviewers must see, its canonical text, and what is
//! replaced in it.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::path::Path;

use mcp_harness::artifact::{Json, Redactor, sha256, unified_diff};
use mcp_harness::terminal::{Style, escape, escape_line};

fn parse(text: &str) -> Json {
    Json::parse(text).expect("it is JSON")
}

#[test]
fn order_digits_and_repeated_members_stay() {
    for text in [
        r#"{"b":1.50,"a":12345678901234567890,"b":1e400}"#,
        r#"[null,true,false,"",{},[]]"#,
        r#""a dash — and a face 🙂""#,
        "-0.0",
    ] {
        assert_eq!(parse(text).to_line(), text);
    }
}

#[test]
fn the_canonical_form_sorts_members_at_every_depth() {
    let sorted = parse(r#"{"b":[{"d":1,"c":2}],"a":{"z":1,"y":2}}"#).sorted();
    assert_eq!(
        sorted.to_line(),
        r#"{"a":{"y":2,"z":1},"b":[{"c":2,"d":1}]}"#
    );
}

#[test]
fn the_text_has_two_spaces_and_a_final_newline() {
    let text = parse(r#"{"a":[1,{}],"b":{"c":[]}}"#).to_text();
    assert_eq!(
        text,
        "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {\n    \"c\": []\n  }\n}\n"
    );
}

#[test]
fn characters_that_hide_in_a_diff_are_written_as_escapes() {
    let line = Json::from("\u{1b}[2J \u{202e} \u{200b} \u{7} \u{e0041} ü\t\n").to_line();
    assert_eq!(
        line,
        r#""\u001b[2J \u202e \u200b \u0007 \udb40\udc41 ü\t\n""#
    );
    assert_eq!(
        parse(&line).to_line(),
        line,
        "it reads back as the same text"
    );
}

#[test]
fn a_text_that_is_no_json_is_shown_as_a_string() {
    assert_eq!(Json::lenient("{\"cut"), Json::from("{\"cut"));
    assert_eq!(Json::lenient(r#""\ud800""#), Json::from(r#""\ud800""#));
}

#[test]
fn paths_and_process_ids_become_placeholders() {
    let mut redactor = Redactor::new(Path::new("/tmp/x-123"), &[]);
    redactor.learn_pids(&[parse(r#"{"start":1,"pid":4711}"#)]);
    assert_eq!(
        redactor.text("/tmp/x-123/home of 4711, not 14711 or 4711a"),
        "[SANDBOX]/home of [PID], not 14711 or 4711a"
    );
    assert_eq!(
        redactor.relative("/tmp/x-123/home/mcp.json"),
        "home/mcp.json"
    );
}

#[test]
fn long_strings_are_cut_and_keep_size_and_hash() {
    let redactor = Redactor::new(Path::new("/none"), &[]);
    let long = "ü".repeat(5_000);
    let cut = redactor.text(&long);
    assert!(cut.len() < 400, "{cut}");
    assert!(
        cut.ends_with(&format!(
            "… [10000 bytes, SHA-256 {}]",
            sha256(long.as_bytes())
        )),
        "{cut}"
    );
    let short = "x".repeat(2_000);
    assert_eq!(redactor.text(&short), short);
}

#[test]
fn secrets_are_masked_in_journals_and_found_everywhere_else() {
    let redactor = Redactor::new(Path::new("/none"), &["tok-123456".to_owned()]);
    let entry = redactor.journal(parse(r#"{"received":{"key":"Bearer tok-123456"}}"#));
    assert_eq!(entry.to_line(), r#"{"received":{"key":"Bearer [SECRET]"}}"#);
    let artifact = parse(r#"{"a":["x",{"b/tok-123456":1}],"c":"tok-123456"}"#);
    assert_eq!(
        redactor.leaked_secrets(&artifact),
        ["/a/1/b/tok-123456", "/c"]
    );
}

#[test]
fn redacted_places_are_named_by_pointers_with_wildcards() {
    let check = |pointer: &str, expected: &str| {
        let value = parse(r#"{"a":[{"b":1},{"b":2}],"c/d":3}"#);
        assert_eq!(value.redacted(pointer).0.to_line(), expected, "{pointer}");
    };
    check(
        "/a/*/b",
        r#"{"a":[{"b":"[REDACTED]"},{"b":"[REDACTED]"}],"c/d":3}"#,
    );
    check("/a/1", r#"{"a":[{"b":1},"[REDACTED]"],"c/d":3}"#);
    check("/c~1d", r#"{"a":[{"b":1},{"b":2}],"c/d":"[REDACTED]"}"#);
    check("/nothing/here", r#"{"a":[{"b":1},{"b":2}],"c/d":3}"#);
}

#[test]
fn equal_texts_have_no_diff_and_different_ones_a_unified_one() {
    assert_eq!(unified_diff(("x", "a\n"), ("y", "a\n"), Style::Plain), "");
    let diff = unified_diff(("x", "a\nb\nc\n"), ("y", "a\nB\nc\n"), Style::Plain);
    assert_eq!(diff, "--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    let coloured = unified_diff(("x", "b\n"), ("y", "B\u{1b}[2J\n"), Style::Coloured);
    assert!(
        coloured.contains("+B\\u{1b}[2J"),
        "what a server sent is escaped: {coloured:?}"
    );
}

#[test]
fn text_for_a_terminal_keeps_lines_and_escapes_the_rest() {
    assert_eq!(
        escape("a\n\u{9b}2J\r\u{2066}é"),
        "a\n\\u{9b}2J\\u{d}\\u{2066}é"
    );
    assert_eq!(escape_line("a\nb\tc"), "a\\nb    c");
}
