//! From an entry to what a connection is made of: paths, commands, header rules, masks, digests.

use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use mcp_config::{
    Command, CommandFailure, DigestKey, Environment, Outputs, ResolveError, ResolveErrors,
    ResolvedServer, ResolvedTransport, Secret, ServerEntry, TIME_LIMIT,
};

use crate::support::{entry, lines, user};

fn resolve(json: &str, environment: &Environment) -> Result<ResolvedServer, ResolveErrors> {
    entry(json).resolve(environment, &Outputs::new(), Path::new("/base"))
}

fn stdio(resolved: ResolvedServer) -> (String, Vec<String>, Vec<(String, String)>, PathBuf) {
    match resolved.transport {
        ResolvedTransport::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            let env = env
                .into_iter()
                .map(|(name, value)| (name, value.expose().to_owned()));
            (command, args, env.collect(), cwd)
        }
        ResolvedTransport::Http { .. } => panic!("not stdio"),
    }
}

fn masks(resolved: &ResolvedServer) -> Vec<&str> {
    resolved.mask.iter().map(Secret::expose).collect()
}

#[test]
fn the_home_directory_is_expanded_in_command_arguments_and_directory_only() {
    let json = r#"{"command": "~/bin/srv", "args": ["~/x", "a~/b", "~", "~u/x"], "cwd": "~/w", "env": {"P": "~/x"}}"#;
    let entry = ServerEntry::parse("a", json, &mcp_config::Origin::plugin("test"))
        .0
        .unwrap();
    let environment = Environment::new().with("HOME", "/home/demo/");
    let resolved = entry
        .resolve(&environment, &Outputs::new(), Path::new("/base"))
        .unwrap();
    let (command, args, env, cwd) = stdio(resolved);
    assert_eq!(command, "/home/demo/bin/srv");
    assert_eq!(args, ["/home/demo/x", "a~/b", "~", "~u/x"]);
    assert_eq!(env, [("P".to_owned(), "~/x".to_owned())]);
    assert_eq!(cwd, Path::new("/home/demo/w"));
    let errors = entry
        .resolve(&Environment::new(), &Outputs::new(), Path::new("/base"))
        .unwrap_err();
    assert_eq!(
        errors.iter().map(|(key, _)| key).collect::<Vec<_>>(),
        ["command", "args[0]", "cwd"]
    );
    assert!(errors.to_string().contains("HOME"));
}

#[test]
fn a_working_directory_is_joined_to_the_base() {
    for (cwd, expected) in [
        ("", "/base"),
        (r#", "cwd": "sub""#, "/base/sub"),
        (r#", "cwd": "/abs""#, "/abs"),
    ] {
        let json = format!(r#"{{"command": "./srv"{cwd}}}"#);
        let (command, .., found) = stdio(resolve(&json, &Environment::new()).unwrap());
        assert_eq!(
            (command.as_str(), found.as_path()),
            ("./srv", Path::new(expected))
        );
    }
}

#[test]
fn variables_allow_line_breaks_and_refuse_nul() {
    let pem = "-----BEGIN KEY-----\r\nabcdefgh\nijklmnop\n-----END KEY-----\n";
    let json = r#"{"command": "srv", "env": {"PEM": "${PEM}"}}"#;
    let resolved = resolve(json, &Environment::new().with("PEM", pem)).unwrap();
    assert_eq!(
        masks(&resolved),
        [pem, "abcdefgh", "ijklmnop"],
        "a key is printed line by line"
    );
    assert_eq!(stdio(resolved).2, [("PEM".to_owned(), pem.to_owned())]);
    let nul = Command::new("cmd");
    let outputs: Outputs = [(nul, Ok(b"a\0b".to_vec()))].into_iter().collect();
    let json = r#"{"command": "srv", "env": {"V": "!cmd"}}"#;
    let errors = entry(json)
        .resolve(&Environment::new(), &outputs, Path::new("/base"))
        .unwrap_err();
    assert_eq!(
        errors.to_string(),
        "server \"a\": env.V: the value contains a NUL character"
    );
}

#[test]
fn values_that_are_not_unicode_are_refused_by_name() {
    let environment = Environment::new().with("V", std::ffi::OsString::from_vec(vec![b'a', 0xff]));
    for value in ["${V}", "${V:-d}", "${V:?m}"] {
        let json = format!(r#"{{"command": "srv", "env": {{"X": "{value}"}}}}"#);
        let errors = resolve(&json, &environment).unwrap_err();
        assert_eq!(
            errors.to_string(),
            "server \"a\": env.X: environment variable V is not valid Unicode"
        );
    }
    assert_eq!(environment.get("V"), None);
}

#[test]
fn all_errors_come_at_once_with_their_places() {
    let config = user(
        "{\"mcpServers\": {\"r\": {\"url\": \"https://h.invalid\", \"headers\": {\n  \"X-A\": \"${A}\",\n  \"X-B\": \"Bearer ${B}\",\n  \"X-C\": \"$A $C\"\n}}}}",
    );
    let entry = config.get("r").and_then(mcp_config::Server::entry).unwrap();
    let environment = Environment::new().with("B", "");
    let errors = entry
        .resolve(&environment, &Outputs::new(), Path::new("/base"))
        .unwrap_err();
    let problems = errors.problems();
    let places: Vec<_> = problems
        .iter()
        .map(|problem| (problem.line().unwrap(), problem.path().unwrap()))
        .collect();
    let path = |header: &str| format!("mcpServers.r.headers.{header}");
    let paths = [path("X-A"), path("X-B"), path("X-C"), path("X-C")];
    assert_eq!(
        places,
        [
            (2, paths[0].as_str()),
            (3, &paths[1]),
            (4, &paths[2]),
            (4, &paths[3])
        ]
    );
    assert!(
        problems
            .iter()
            .all(|problem| problem.server() == Some("r") && problem.is_error())
    );
    assert!(lines(&problems)[0].contains("A is not set"));
    assert_eq!(errors.server(), "r");
}

#[test]
fn variables_of_other_programs_have_their_own_advice() {
    let json = r#"{"command": "srv", "env": {"W": "${workspaceFolder}", "E": "$env:TOKEN"}}"#;
    let problems = resolve(json, &Environment::new()).unwrap_err().problems();
    let lines = lines(&problems);
    assert!(lines[0].contains("another program's"), "{lines:?}");
    assert!(lines[1].contains("${NAME}, not $env:NAME"), "{lines:?}");
}

/// What a header resolves to, or the errors.
fn header(name: &str, value: &str, environment: &Environment) -> Result<String, String> {
    let headers = serde_json::json!({ name: value });
    let json = serde_json::json!({ "url": "https://h.invalid", "headers": headers }).to_string();
    match resolve(&json, environment).map(|resolved| resolved.transport) {
        Ok(ResolvedTransport::Http { headers, .. }) => Ok(headers[0].1.expose().to_owned()),
        Ok(ResolvedTransport::Stdio { .. }) => panic!("not http"),
        Err(errors) => {
            let errors = errors.iter().map(|(_, error)| error.to_string());
            Err(errors.collect::<Vec<_>>().join("; "))
        }
    }
}

#[test]
fn headers_are_checked_after_resolution() {
    let environment: Environment = [
        ("TOKEN", "tok-123"),
        ("EMPTY", ""),
        ("SPACE", "  "),
        ("BEARER", "Bearer "),
        ("TAB", "a\tb"),
        ("LATIN", "caf\u{e9}"),
    ]
    .into_iter()
    .collect();
    for (name, value, expected) in [
        ("X-A", "${TOKEN}", Ok("tok-123")),
        ("X-A", "${TAB}", Ok("a\tb")),
        ("Authorization", "Bearer ${TOKEN}", Ok("Bearer tok-123")),
        ("Authorization", "${BEARER}${TOKEN}", Ok("Bearer tok-123")),
        ("X-A", "${EMPTY:-} x", Ok(" x")),
        ("X-A", "${EMPTY}", Err("the header is empty (empty: EMPTY)")),
        ("X-A", "${SPACE}", Err("the header is empty")),
        (
            "X-A",
            "Bearer ${EMPTY}",
            Err("the header is only `Bearer`, without a credential (empty: EMPTY)"),
        ),
        (
            "X-A",
            "ApiKey ${EMPTY:-}",
            Err("the header is only `ApiKey`, without a credential (empty: EMPTY)"),
        ),
        (
            "X-A",
            "Custom ${EMPTY}${EMPTY}",
            Err("the header is only `Custom`, without a credential (empty: EMPTY)"),
        ),
        (
            "Authorization",
            "${BEARER}",
            Err("the header is only `Bearer`, without a credential"),
        ),
        (
            "Authorization",
            "${BEARER}${EMPTY}",
            Err("the header is only `Bearer`, without a credential (empty: EMPTY)"),
        ),
        (
            "X-A",
            "${LATIN}",
            Err("the header contains a character that is not ASCII, which a header must not"),
        ),
    ] {
        let found = header(name, value, &environment);
        assert_eq!(
            found,
            expected.map(str::to_owned).map_err(str::to_owned),
            "{name}: {value}"
        );
    }
}

#[test]
fn a_scheme_with_a_colon_is_no_credential_either() {
    let environment = Environment::new().with("EMPTY", "").with("TOKEN", "tok");
    let bare = "the header is only `Bearer:`, without a credential";
    for (value, expected) in [
        ("Bearer: ${EMPTY}", Err(format!("{bare} (empty: EMPTY)"))),
        ("Bearer: ${NONE:-}", Err(format!("{bare} (empty: NONE)"))),
        ("Bearer: ${TOKEN}", Ok("Bearer: tok".to_owned())),
    ] {
        assert_eq!(
            header("Authorization", value, &environment),
            expected,
            "{value}"
        );
    }
}

#[test]
fn commands_are_listed_once_and_their_outputs_taken() {
    let json = r#"{"command": "srv", "env": {"A": "!get one", "B": "!get two", "C": "!get one", "D": "$X", "E": "!!x"}}"#;
    let entry = entry(json);
    let commands = entry.commands();
    assert_eq!(
        commands.iter().map(Command::expose).collect::<Vec<_>>(),
        ["get one", "get two"]
    );
    let environment = Environment::new().with("X", "!get three");
    let outputs = |one: &[u8], two: &[u8]| -> Outputs {
        [
            (commands[0].clone(), Ok(one.to_vec())),
            (commands[1].clone(), Ok(two.to_vec())),
        ]
        .into_iter()
        .collect()
    };
    let resolved = entry
        .resolve(
            &environment,
            &outputs(b"first\n", b" second \r\n\r\n"),
            Path::new("/"),
        )
        .unwrap();
    let env = stdio(resolved).2;
    let values: Vec<&str> = env.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(
        values,
        ["first", " second \r\n", "first", "!get three", "!x"],
        "one final line break is trimmed"
    );

    let errors = entry
        .resolve(&environment, &Outputs::new(), Path::new("/"))
        .unwrap_err();
    assert!(
        errors
            .iter()
            .all(|(_, error)| *error == ResolveError::CommandNotRun)
    );
}

#[test]
fn a_failed_command_fails_its_server_and_says_why_without_its_text() {
    let entry = entry(r#"{"command": "srv", "env": {"A": "!echo planted"}}"#);
    for (failure, words) in [
        (
            CommandFailure::Exit {
                status: "exit status 3".to_owned(),
            },
            "the command ended with exit status 3",
        ),
        (
            CommandFailure::TimedOut { limit: TIME_LIMIT },
            "longer than 30 s",
        ),
        (CommandFailure::TooLarge, "more than 64 KiB"),
        (
            CommandFailure::Spawn {
                message: "no sh".to_owned(),
            },
            "could not be started: no sh",
        ),
        (CommandFailure::Stopped, "closing"),
    ] {
        let outputs: Outputs = entry
            .commands()
            .into_iter()
            .map(|command| (command, Err(failure.clone())))
            .collect();
        let errors = entry
            .resolve(&Environment::new(), &outputs, Path::new("/"))
            .unwrap_err()
            .to_string();
        assert!(
            errors.starts_with("server \"a\": env.A: ") && errors.contains(words),
            "{errors}"
        );
        assert!(!errors.contains("planted"), "{errors}");
    }
    let outputs: Outputs = entry
        .commands()
        .into_iter()
        .map(|command| (command, Ok(vec![0xff])))
        .collect();
    let errors = entry
        .resolve(&Environment::new(), &outputs, Path::new("/"))
        .unwrap_err()
        .to_string();
    assert!(errors.contains("not UTF-8"), "{errors}");
}

#[test]
fn what_a_server_may_echo_is_listed_longest_first() {
    let environment: Environment = [
        ("TOKEN", "tok-123456"),
        ("SHORT", "abc"),
        ("HOME", "/home/demo"),
        ("LC_ALL", "C.UTF-8"),
        ("REGION", "eu-west-1"),
    ]
    .into_iter()
    .collect();
    let json = r#"{"command": "srv", "env": {"A": "x-${TOKEN}", "B": "$SHORT", "C": "$HOME/x", "D": "literal-value", "E": "$LC_ALL", "F": "$REGION"}}"#;
    assert_eq!(
        masks(&resolve(json, &environment).unwrap()),
        ["tok-123456", "eu-west-1"]
    );

    let json = r#"{"url": "https://user:hunter22@h.invalid/?api_key=k-secret-1&page=twelve", "headers": {"Authorization": "Bearer literal-token", "X-A": "${SHORT}${TOKEN}", "X-B": "two words"}}"#;
    let resolved = resolve(json, &environment).unwrap();
    assert_eq!(
        masks(&resolved),
        [
            "Bearer literal-token",
            "abctok-123456",
            "literal-token",
            "user:hunter22",
            "k-secret-1",
            "tok-123456",
            "two words",
            "hunter22"
        ],
    );
    assert!(!format!("{resolved:?}").contains("tok-123456"));
}

#[test]
fn the_digest_changes_exactly_with_the_variables_that_are_used() {
    let entry = entry(r#"{"command": "~/srv", "env": {"A": "${X}${Y:-$Z}", "B": "!get"}}"#);
    assert_eq!(
        entry.variables().into_iter().collect::<Vec<_>>(),
        ["HOME", "X", "Y", "Z"]
    );
    let key = DigestKey::new([7; 32]);
    let base: Environment = [("HOME", "/h"), ("X", "1"), ("OTHER", "o")]
        .into_iter()
        .collect();
    let digest = |environment: &Environment| entry.variables_digest(environment, &key);
    assert_eq!(
        digest(&base),
        digest(&base.clone().with("OTHER", "changed"))
    );
    let changed = [
        base.clone().with("X", "2"),
        base.clone().with("X", ""),
        base.clone().without("X"),
        base.clone().with("Y", ""),
        base.clone().with("Z", "1"),
        base.clone().with("HOME", "/other"),
    ];
    let mut digests: Vec<_> = changed.iter().map(digest).collect();
    digests.push(digest(&base));
    for (index, one) in digests.iter().enumerate() {
        assert!(
            digests[index + 1..].iter().all(|other| other != one),
            "{index}"
        );
    }
    assert_ne!(
        digest(&base),
        entry.variables_digest(&base, &DigestKey::new([8; 32])),
        "the key matters"
    );
    assert!(!format!("{:?} {key:?}", digest(&base)).contains("07070707"));
}

#[test]
fn what_changed_is_told_by_its_kind() {
    let base = r#"{"command": "srv", "args": ["a"], "env": {"A": "1", "B": "2"}, "cwd": "x"}"#;
    let same = r#"{"type": "stdio", "cwd": "x", "env": {"B": "2", "A": "1"}, "args": ["a"], "command": "srv",
                   "enabled": true, "exposure": "direct", "toolExposure": {}}"#;
    let with = |member: &str| base.replace("\"command\"", &format!("{member}, \"command\""));
    for (json, expected) in [
        (same.to_owned(), ""),
        (base.replace("srv", "other"), "connection"),
        (base.replace("[\"a\"]", "[\"b\"]"), "connection"),
        (base.replace("\"2\"", "\"3\""), "connection"),
        (base.replace(", \"B\": \"2\"", ""), "connection"),
        (base.replace(", \"cwd\": \"x\"", ""), "connection"),
        (r#"{"url": "https://h.invalid"}"#.to_owned(), "connection"),
        (with("\"maxRequestMs\": 5"), "time limits"),
        (with("\"exposure\": \"hidden\""), "exposure"),
        (with("\"toolExposure\": {\"t\": \"direct\"}"), "exposure"),
        (with("\"disabled\": true"), "enabled"),
    ] {
        assert_eq!(kinds(&entry(base), &entry(&json)), expected, "{json}");
    }
    let rules = |json: &str| entry(&format!(r#"{{"command": "s", "toolExposure": {json}}}"#));
    let (one, other) = (
        r#"{"a*": "hidden", "*b": "direct"}"#,
        r#"{"*b": "direct", "a*": "hidden"}"#,
    );
    assert_eq!(
        kinds(&rules(one), &rules(other)),
        "exposure",
        "the order of rules matters"
    );
    let http = |headers: &str| {
        entry(&format!(
            r#"{{"url": "https://h.invalid", "headers": {headers}}}"#
        ))
    };
    assert_eq!(
        kinds(&http(r#"{"A": "1"}"#), &http(r#"{"A": "2"}"#)),
        "connection"
    );
    assert!(!http(r#"{"A": "1"}"#).changes(&http(r#"{"A": "1"}"#)).any());
}

fn kinds(one: &ServerEntry, other: &ServerEntry) -> String {
    let changes = one.changes(other);
    let kinds = [
        (changes.connection, "connection"),
        (changes.time_limits, "time limits"),
        (changes.exposure, "exposure"),
        (changes.enabled, "enabled"),
    ];
    let kinds = kinds
        .into_iter()
        .filter_map(|(changed, kind)| changed.then_some(kind));
    kinds.collect::<Vec<_>>().join(", ")
}

/// Every member of the schema is compared: changing it alone is seen.
#[test]
fn no_member_escapes_the_comparison() {
    let schema = mcp_config::json_schema();
    let members = schema["$defs"]["Entry"]["properties"].as_object().unwrap();
    for member in members.keys() {
        let Some((base, one, other)) = two_values(member) else {
            continue;
        };
        let read =
            |value: &str| -> ServerEntry { entry(&format!("{{{base}, \"{member}\": {value}}}")) };
        assert!(
            read(one).changes(&read(other)).any(),
            "{member} is not compared"
        );
    }
}

/// The rest of an entry, and two values of a member; a new member must be added here.
fn two_values(member: &str) -> Option<(&'static str, &'static str, &'static str)> {
    let (stdio, http) = ("\"command\": \"srv\"", "\"url\": \"https://h.invalid\"");
    Some(match member {
        // The type alone follows from the others; sign-in is refused.
        "type" | "auth" | "oauth" => return None,
        "command" => ("\"args\": []", "\"a\"", "\"b\""),
        "args" => (stdio, "[]", "[\"a\"]"),
        "env" => (stdio, "{}", "{\"A\": \"1\"}"),
        "cwd" => (stdio, "\"a\"", "\"b\""),
        "url" => (
            "\"headers\": {}",
            "\"https://a.invalid\"",
            "\"https://b.invalid\"",
        ),
        "headers" => (http, "{}", "{\"A\": \"1\"}"),
        "enabled" | "disabled" => (stdio, "true", "false"),
        "exposure" => (stdio, "\"direct\"", "\"hidden\""),
        "toolExposure" => (stdio, "{}", "{\"t\": \"hidden\"}"),
        "startTimeoutMs" | "requestTimeoutMs" | "maxRequestMs" => (stdio, "1", "2"),
        other => panic!("{other} is new: say how it is compared"),
    })
}
