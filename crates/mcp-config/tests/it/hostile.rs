//! Input that is large, deep, or no text at all: a clear problem or the right servers, in linear time.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;

use mcp_config::{Layer, MAX_FILE_SIZE, Outcome, RenderOptions, Severity, explain, load, render};

use crate::support::{Files, assert_problems, user};

#[test]
fn ten_thousand_servers_are_read() {
    let mut text = String::from("{\"mcpServers\": {");
    for number in 0..10_000 {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\"server-{number}\": {{\"command\": \"srv\", \"args\": [\"--n\", \"{number}\"], \"env\": {{\"A\": \"${{A}}\"}}}},"
        );
    }
    text.push_str("}}");
    let config = user(&text);
    assert_eq!(
        (config.servers().count(), config.problems().len()),
        (10_000, 0)
    );
}

#[test]
fn ten_thousand_wrong_servers_on_one_line_are_told_up_to_a_limit() {
    let mut text = String::from("{\"mcpServers\": {");
    for number in 0..10_000 {
        let _ = write!(
            text,
            "\"s{number}\": {{\"args\": [], \"env\": {{\"TOKEN\": \"sk-planted-{number}\"}}}},"
        );
    }
    text.push_str("}}");
    let config = user(&text);
    assert_eq!(
        (config.servers().count(), config.problems().len()),
        (10_000, 1001)
    );
    assert!(
        config.problems()[1000]
            .message()
            .contains("and 9000 more problems in this file, 9000 of them errors")
    );
    let report = render(config.problems(), RenderOptions::default());
    assert!(
        !report.contains("planted") && report.len() < 1_000_000,
        "{}",
        report.len()
    );
}

#[test]
fn one_problem_too_many_is_one() {
    let wrong = |count: usize| {
        let args = "1,".repeat(count);
        let config = user(format!(
            "{{\"mcpServers\": {{\"a\": {{\"command\": \"srv\", \"args\": [{args}]}}}}}}"
        ));
        config
            .problems()
            .last()
            .map(|last| last.message().to_owned())
    };
    let last = wrong(1001);
    assert_eq!(last.as_deref(), Some("and 1 more problem in this file"));
}

#[test]
fn a_million_wrong_values_of_one_entry_are_counted() {
    let config = user(format!(
        "{{\"mcpServers\": {{\"a\": {{\"command\": \"srv\", \"args\": [{}]}}, \"b\": {{}}}}}}",
        "1,".repeat(900_000)
    ));
    assert_eq!(
        (config.servers().count(), config.problems().len()),
        (2, 1001)
    );
    assert!(
        config.problems()[1000]
            .message()
            .contains("and 899001 more problems"),
        "{}",
        config.problems()[1000]
    );
    assert!(
        matches!(config.get("b"), Some(mcp_config::Server::Failed(failed)) if failed.message().contains("empty"))
    );
}

#[test]
fn ten_megabytes_are_read() {
    let long = "x".repeat(10 * 1024 * 1024);
    let config = user(format!(
        "{{\"mcpServers\": {{\"a\": {{\"command\": \"srv\", \"env\": {{\"LONG\": \"{long}\"}}}}}}}}"
    ));
    assert_eq!((config.servers().count(), config.problems().len()), (1, 0));
    let config = user(format!(
        "{{\"mcpServers\": {{\"a\": {{\"command\": \"srv\", \"env\": {{\"LONG\": \"{long}\", \"N\": 5}}}}}}}}"
    ));
    assert_eq!(config.problems().len(), 1);
    assert!(render(config.problems(), RenderOptions::default()).len() < 1000);
    let config = user(format!(
        "{{\"mcpServers\": {{\"a\": {{\"command\": \"srv\", \"{long}\": 1}}}}}}"
    ));
    assert_eq!(config.problems().len(), 1);
    assert!(
        render(config.problems(), RenderOptions::default()).len() < 2000,
        "a long name is cut"
    );
}

#[test]
fn a_file_that_is_far_too_large_is_refused_unread() {
    let files = Files::new();
    let path = files.path("user.json");
    std::fs::File::create(&path)
        .unwrap()
        .set_len(MAX_FILE_SIZE + 1)
        .unwrap();
    let config = load(&[Layer::user(&path)]);
    assert_eq!(config.sources()[0].outcome(), Outcome::Unreadable);
    assert_problems(
        "large",
        config.problems(),
        &[&["the file is larger than 16 MiB"]],
    );
}

#[test]
fn text_that_is_hard_to_read_is_refused_with_a_place() {
    for (what, bytes, words) in [
        (
            "depth",
            format!(
                "{{\"mcpServers\": {}{}}}",
                "[".repeat(10_000),
                "]".repeat(10_000)
            )
            .into_bytes(),
            "nested more than 128 levels deep",
        ),
        (
            "objects",
            "{\"a\":".repeat(10_000).into_bytes(),
            "nested more than 128 levels deep",
        ),
        (
            "invalid UTF-8",
            b"{\"mcpServers\": {\"a\": {\"command\": \"\xc3\x28\"}}}".to_vec(),
            "the byte 0xc3 is not UTF-8 here",
        ),
        (
            "NUL",
            b"{\"mcpServers\": {}\0}".to_vec(),
            "the file contains a NUL byte",
        ),
        ("only NUL", vec![0; 4096], "the file contains a NUL byte"),
        (
            "UTF-16",
            "{}".encode_utf16().flat_map(u16::to_le_bytes).fold(
                vec![0xff, 0xfe],
                |mut bytes, byte| {
                    bytes.push(byte);
                    bytes
                },
            ),
            "the file is saved as UTF-16",
        ),
        ("random", (1..=255).collect(), "not UTF-8"),
        (
            "a million values",
            format!("[{}]", "0,".repeat(1_000_001)).into_bytes(),
            "more than 1000000 values",
        ),
        (
            "a long string",
            format!("{{\"a\": \"{}", "x".repeat(5_000_000)).into_bytes(),
            "this string is not closed",
        ),
        (
            "a long comment",
            format!("/*{}", "*".repeat(5_000_000)).into_bytes(),
            "this comment is not closed",
        ),
        (
            "many slashes",
            "/ ".repeat(1_000_000).into_bytes(),
            "expected a value, found `/`",
        ),
        (
            "many backslashes",
            format!("{{\"a\": \"{}", "\\".repeat(1_000_000)).into_bytes(),
            "this string is not closed",
        ),
    ] {
        let config = user(bytes);
        assert_problems(what, config.problems(), &[&["error", words]]);
        assert_eq!(config.sources()[0].outcome(), Outcome::Broken, "{what}");
        assert!(config.problems()[0].line().is_some(), "{what}");
    }
}

#[test]
fn many_duplicates_are_told_up_to_a_limit() {
    let config = user(format!(
        "{{\"mcpServers\": {{{}}}}}",
        "\"a\": {\"command\": \"srv\"},".repeat(50_000)
    ));
    assert_eq!(
        (config.servers().count(), config.problems().len()),
        (1, 101)
    );
    assert!(
        config
            .problems()
            .iter()
            .all(|problem| problem.severity() == Severity::Error)
    );
}

#[test]
fn what_is_no_readable_file_is_told() {
    let files = Files::new();
    let check = |name: &str, words: &[&str]| {
        let config = load(&[Layer::user(files.path(name))]);
        assert_problems(name, config.problems(), &[words]);
        assert_eq!(config.sources()[0].outcome(), Outcome::Unreadable, "{name}");
        assert!(config.problems()[0].file().unwrap().ends_with(name));
    };
    std::fs::create_dir(files.path("directory")).unwrap();
    check("directory", &["the file is a directory"]);
    std::os::unix::fs::symlink(files.path("nowhere"), files.path("dangling")).unwrap();
    check("dangling", &["a symbolic link to nothing"]);
    std::os::unix::fs::symlink(files.path("loop"), files.path("loop")).unwrap();
    check("loop", &["the file cannot be read"]);
    std::os::unix::net::UnixListener::bind(files.path("socket")).unwrap();
    check("socket", &["a pipe, socket or device"]);
    files.write("plain", "{}");
    check("plain/mcp.json", &["not a directory"]);
    let secret = files.write("unreadable", r#"{"mcpServers": {}}"#);
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&secret).is_err() {
        check(
            "unreadable",
            &["permission denied", "make the file readable"],
        );
    } else {
        println!("skipped: this user may read everything");
    }
}

#[test]
fn a_huge_value_is_shown_within_bounds() {
    let long = "y".repeat(100_000);
    let config = user(format!(
        "{{\"mcpServers\": {{\"a\": {{\"command\": \"{long} x\"}}, \"b\": {{\"type\": \"{long}\", \"command\": \"srv\"}}, \"c\": {{\"command\": \"srv\", \"env\": {{\"N\": [\"{long}\"]}}}}, \"{long}\": 5, \"d\": {{\"command\": \"${{{long}}}\"}}, \"e\": {{\"url\": \"http://{long}:x\"}}}}}}"
    ));
    let report = render(config.problems(), RenderOptions::default());
    assert!(report.len() < 20_000, "{}", report.len());
    assert!(explain(&config).to_string().len() < 1_000_000);
}
