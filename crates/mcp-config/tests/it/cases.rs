//! Cases that went wrong in some program, one test each. Their ids are those of the collection they come from.

use std::path::Path;

use crate::support::{Files, assert_problems, entry, layered, lines, states, user};
use mcp_config::{
    Environment, Layer, Outcome, Outputs, ResolvedTransport, Server, Transport, load,
};

/// cfg-01
#[test]
fn comments_anywhere_leave_the_servers_alone() {
    for text in [
        "{\"mcpServers\":{ // note\n \"a\":{\"command\":\"srv\"} }}",
        "{\"mcpServers\":{ /* note */ \"a\":{\"command\":\"srv\"} }}",
        "/* note */ {\"mcpServers\": /* x */ {\"a\" /* y */ :{\"command\":\"srv\"}}} // end",
    ] {
        let config = user(text);
        assert_eq!(
            (states(&config).as_str(), config.problems().len()),
            ("a:ready", 0),
            "{text}"
        );
    }
}

/// cfg-01, second half
#[test]
fn a_syntax_error_names_its_place_and_leaves_the_other_layer_usable() {
    let config = layered(
        "{\"mcpServers\":{\"a\":{\"command\":\"srv\"}}}",
        "{\n  \"mcpServers\": {\n    \"b\": }\n}",
    );
    assert_eq!(states(&config), "a:ready");
    let [problem] = config.problems() else {
        panic!("{:?}", config.problems())
    };
    assert_eq!((problem.line(), problem.column()), (Some(3), Some(10)));
    assert!(problem.file().unwrap().ends_with("project.json"));
    assert_eq!(problem.message(), "expected a value, found `}`");
}

/// cfg-02
#[test]
fn comments_may_follow_the_root_value_and_nothing_else() {
    let good = "{\"mcpServers\":{\"a\":{\"command\":\"srv\"}}}\n// \"b\": {...}\n\n// end";
    assert_eq!(states(&user(good)), "a:ready");
    for (rest, column) in [("x", 1), ("{}", 1), (" \"b\"", 2), (",", 1)] {
        let config = user(format!("{{\"mcpServers\":{{}}}}\n{rest}"));
        let [problem] = config.problems() else {
            panic!("{rest}: {:?}", config.problems())
        };
        assert_eq!(
            (problem.line(), problem.column()),
            (Some(2), Some(column)),
            "{rest}"
        );
        assert!(
            problem
                .message()
                .starts_with("the document ended on line 1"),
            "{rest}"
        );
    }
}

/// cfg-03
#[test]
fn one_trailing_comma_is_allowed_and_a_lonely_one_is_not() {
    let config = user("{\"mcpServers\":{\"a\":{\"command\":\"srv\",\"args\":[\"x\",],},},}");
    assert_eq!(
        (states(&config).as_str(), config.problems().len()),
        ("a:ready", 0)
    );
    for text in ["{\"a\":1,,}", "{,}", "{\"a\":[,]}", "{\"a\":[1,,2]}"] {
        assert_eq!(user(text).sources()[0].outcome(), Outcome::Broken, "{text}");
    }
}

/// cfg-04
#[test]
fn one_byte_order_mark_is_skipped() {
    let text = "\u{feff}{\"mcpServers\":{\"a\":{\"command\":\"srv\"}}}";
    let config = user(text);
    assert_eq!(
        (states(&config).as_str(), config.problems().len()),
        ("a:ready", 0)
    );
}

/// cfg-05
#[test]
fn absent_empty_unreadable_and_broken_files_are_told_apart() {
    let files = Files::new();
    std::fs::create_dir(files.path("directory.json")).unwrap();
    let outcomes = [
        ("absent.json", None, Outcome::Absent, 0),
        ("empty.json", Some(""), Outcome::Empty, 0),
        ("blank.json", Some("\u{feff} \n"), Outcome::Empty, 0),
        (
            "comments.json",
            Some("// nothing\n/* yet */"),
            Outcome::Empty,
            0,
        ),
        ("braces.json", Some("{}"), Outcome::Empty, 0),
        ("none.json", Some("{\"mcpServers\":{}}"), Outcome::Loaded, 0),
        ("broken.json", Some("{"), Outcome::Broken, 1),
        ("shape.json", Some("{\"servers\":{}}"), Outcome::Broken, 1),
        ("directory.json", None, Outcome::Unreadable, 1),
    ];
    for (name, text, outcome, problems) in outcomes {
        if let Some(text) = text {
            files.write(name, text);
        }
        let config = load(&[Layer::user(files.path(name))]);
        assert_eq!(config.sources()[0].outcome(), outcome, "{name}");
        assert_eq!(
            config.problems().len(),
            problems,
            "{name}: {:?}",
            config.problems()
        );
    }
    let required = load(&[Layer::user(files.path("absent.json")).required()]);
    assert_problems(
        "required",
        required.problems(),
        &[&["error", "the file does not exist"]],
    );
}

/// cfg-06
#[test]
fn a_bad_entry_fails_alone() {
    let config =
        user(r#"{"mcpServers":{"good":{"command":"py","args":["s.py"]},"bad":{"args":["t.py"]}}}"#);
    assert_eq!(states(&config), "good:ready bad:failed");
    assert_problems(
        "bad",
        config.problems(),
        &[&["error mcpServers.bad: ", "neither `command` nor `url`"]],
    );
    let Some(Server::Failed(failed)) = config.get("bad") else {
        panic!("bad did not fail")
    };
    assert_eq!(
        failed.message(),
        "mcpServers.bad: the entry has neither `command` nor `url`"
    );
}

/// cfg-10
#[test]
fn all_spellings_of_http_are_one_transport() {
    for spelling in [
        "http",
        "HTTP",
        "streamable-http",
        "streamable_http",
        "streamableHttp",
        "Streamable-HTTP",
    ] {
        let json = format!(r#"{{"url":"http://127.0.0.1:9/mcp","type":"{spelling}"}}"#);
        assert!(
            matches!(entry(&json).transport(), Transport::Http(_)),
            "{spelling}"
        );
    }
    let config = user(
        r#"{"mcpServers":{"r":{"url":"http://h.invalid/mcp","type":"htpp"},"s":{"command":"x"}}}"#,
    );
    assert_eq!(states(&config), "r:failed s:ready");
    let accepted: &[&str] = &[
        "mcpServers.r.type: unknown type `htpp`",
        "stdio",
        "http",
        "streamable-http",
        "streamable_http",
        "streamableHttp",
    ];
    assert_problems("htpp", config.problems(), &[accepted]);
}

/// cfg-11
#[test]
fn a_url_must_be_http_or_https_whatever_the_type_says() {
    entry(r#"{"type":"http","url":"https://h.invalid/mcp"}"#);
    for url in [
        "wss://h.invalid/mcp",
        "ws://h.invalid",
        "ftp://h.invalid",
        "h.invalid/mcp",
        "https://",
        "",
    ] {
        let config = user(format!(
            r#"{{"mcpServers":{{"r":{{"type":"http","url":"{url}"}}}}}}"#
        ));
        assert_problems(url, config.problems(), &[&["error mcpServers.r.url: "]]);
        assert_eq!(states(&config), "r:failed", "{url}");
    }
}

/// cfg-12
#[test]
fn names_of_other_programs_are_warned_about_with_ours() {
    let config = user(
        r#"{"mcpServers":{"a":{"transport":"stdio","command":"srv","environment":{"T":"1"}}}}"#,
    );
    assert_eq!(states(&config), "a:ready");
    assert_problems(
        "foreign",
        config.problems(),
        &[
            &["warning mcpServers.a.transport: ", "`transport`", "`type`"],
            &[
                "warning mcpServers.a.environment: ",
                "`environment`",
                "`env`",
            ],
        ],
    );
}

/// cfg-15
#[test]
fn each_value_that_is_no_string_shows_its_quoted_form() {
    let config = user(
        r#"{"mcpServers":{"a":{"command":"srv","env":{"LIST":["x","y"],"N":5,"B":true}},"b":{"command":"ok"}}}"#,
    );
    assert_eq!(states(&config), "a:failed b:ready");
    assert_problems(
        "env",
        config.problems(),
        &[
            &[
                "error mcpServers.a.env.LIST: expected a string, found an array",
                r#""LIST": "[\"x\",\"y\"]""#,
            ],
            &[
                "error mcpServers.a.env.N: expected a string, found a number",
                r#""N": "5""#,
            ],
            &[
                "error mcpServers.a.env.B: expected a string, found a boolean",
                r#""B": "true""#,
            ],
        ],
    );
}

/// cfg-17
#[test]
fn an_entry_that_overrides_too_much_fails_its_name() {
    let config = layered(
        r#"{"mcpServers":{"a":{"command":"srv","env":{"K":"1","L":"2"}}}}"#,
        r#"{"mcpServers":{"a":{"env":{"K":"9"}}}}"#,
    );
    assert_eq!(states(&config), "a:failed");
    assert_problems(
        "override",
        config.problems(),
        &[&[
            "error mcpServers.a: ",
            "enabled, disabled, exposure, toolExposure",
        ]],
    );
    let config = layered(
        r#"{"mcpServers":{"a":{"command":"srv","env":{"K":"1","L":"2"}}}}"#,
        r#"{"mcpServers":{"a":{"enabled":false}}}"#,
    );
    assert_eq!(
        (states(&config).as_str(), config.problems().len()),
        ("a:disabled", 0)
    );
}

fn headers(json: &str, environment: &Environment) -> Result<Vec<(String, String)>, String> {
    let resolved = entry(json).resolve(environment, &Outputs::new(), Path::new("/base"));
    match resolved.map(|resolved| resolved.transport) {
        Ok(ResolvedTransport::Http { headers, .. }) => Ok(headers
            .into_iter()
            .map(|(name, value)| (name, value.expose().to_owned()))
            .collect()),
        Ok(ResolvedTransport::Stdio { .. }) => panic!("{json} is not http"),
        Err(errors) => Err(errors.to_string()),
    }
}

fn http(headers: &str) -> String {
    format!(r#"{{"url":"https://h.invalid/mcp","headers":{headers}}}"#)
}

/// cfg-19
#[test]
fn references_in_headers_are_expanded_and_other_values_untouched() {
    let environment = Environment::new()
        .with("DEMO_KEY", "k-1")
        .with("DEMO_TOK", "t-2");
    let json =
        http(r#"{"X-Key":"${DEMO_KEY}","Authorization":"Bearer $DEMO_TOK","X-Plain":"a b"}"#);
    let resolved = headers(&json, &environment).unwrap();
    let expected = [
        ("X-Key", "k-1"),
        ("Authorization", "Bearer t-2"),
        ("X-Plain", "a b"),
    ];
    assert_eq!(
        resolved,
        expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
    );
}

/// cfg-20
#[test]
fn an_unset_variable_fails_its_server_before_any_request() {
    let json = http(r#"{"Authorization":"Bearer ${NOT_SET}"}"#);
    let message = headers(&json, &Environment::new()).unwrap_err();
    assert_eq!(
        message,
        "server \"a\": headers.Authorization: environment variable NOT_SET is not set"
    );
}

/// cfg-21
#[test]
fn an_empty_variable_leaves_no_dangling_header() {
    let environment = Environment::new().with("DEMO", "");
    for (json, words) in [
        (
            http(r#"{"X-Access":"${DEMO}"}"#),
            ["headers.X-Access", "empty", "DEMO"],
        ),
        (
            http(r#"{"Authorization":"Bearer ${DEMO}"}"#),
            ["headers.Authorization", "`Bearer`", "DEMO"],
        ),
        (
            http(r#"{"X-Access":"Bearer ${DEMO}"}"#),
            ["headers.X-Access", "`Bearer`", "DEMO"],
        ),
    ] {
        let message = headers(&json, &environment).unwrap_err();
        assert!(
            words.iter().all(|word| message.contains(word)),
            "{json}: {message}"
        );
        assert!(!message.contains("not set"), "{json}: {message}");
    }
    let stdio = entry(r#"{"command":"srv","env":{"MAY_BE_EMPTY":"${DEMO}"}}"#);
    assert!(
        stdio
            .resolve(&environment, &Outputs::new(), Path::new("/base"))
            .is_ok()
    );
}

/// cfg-22
#[test]
fn a_default_is_taken_and_an_empty_one_is_no_credential() {
    let resolved = headers(
        &http(r#"{"Authorization":"Bearer ${T:-guest}"}"#),
        &Environment::new(),
    )
    .unwrap();
    assert_eq!(resolved[0].1, "Bearer guest");
    let message = headers(
        &http(r#"{"Authorization":"Bearer ${T:-}"}"#),
        &Environment::new(),
    )
    .unwrap_err();
    assert!(
        message.contains("headers.Authorization") && message.contains('T'),
        "{message}"
    );
}

/// cfg-23
#[test]
fn a_header_with_a_stray_character_is_refused_without_its_value() {
    let json = http(r#"{"X-Token":"${V}"}"#);
    for value in [
        "tok-123\n",
        "a\r\nX: y",
        "tok-\u{e9}",
        "tok\u{7f}",
        "tok\u{1b}x",
    ] {
        let message = headers(&json, &Environment::new().with("V", value)).unwrap_err();
        assert!(
            message.contains("server \"a\": headers.X-Token: "),
            "{message}"
        );
        assert!(
            !message.contains("tok") && !message.contains("X: y"),
            "{message}"
        );
    }
    let command = entry(&http(r#"{"X-Token":"!cat token"}"#));
    let outputs: Outputs = command
        .commands()
        .into_iter()
        .map(|command| (command, Ok(b"tok-123\n".to_vec())))
        .collect();
    let resolved = command
        .resolve(&Environment::new(), &outputs, Path::new("/base"))
        .unwrap();
    let ResolvedTransport::Http { headers, .. } = resolved.transport else {
        panic!("not http")
    };
    assert_eq!(headers[0].1.expose(), "tok-123");
}

/// cfg-25
#[test]
fn a_working_directory_is_relative_to_the_base_directory() {
    let config = layered(
        "{}",
        r#"{"mcpServers":{"a":{"command":"node","args":["server.js"],"cwd":"tools/srv"}}}"#,
    );
    assert!(lines(config.problems()).is_empty());
    let entry = config.get("a").and_then(Server::entry).unwrap();
    let resolved = entry
        .resolve(&Environment::new(), &Outputs::new(), Path::new("/session"))
        .unwrap();
    let ResolvedTransport::Stdio { cwd, .. } = resolved.transport else {
        panic!("not stdio")
    };
    assert_eq!(cwd, Path::new("/session/tools/srv"));
}
