//! What an entry may say, and the message for each thing that is wrong.

use crate::support::{assert_problems, entry, states, user};
use mcp_config::{Exposure, Server, ServerEntry, Transport};

/// Reads one entry `a` beside a good one, which must never suffer.
fn check(entry: &str, state: &str, expected: &[&[&str]]) {
    let config = user(format!(
        "{{\"mcpServers\": {{\"a\": {entry}, \"good\": {{\"command\": \"srv\"}}}}}}"
    ));
    assert_problems(entry, config.problems(), expected);
    assert_eq!(states(&config), format!("a:{state} good:ready"), "{entry}");
}

#[test]
fn everything_that_an_entry_may_say_is_read() {
    let stdio = entry(
        r#"{"type": "stdio", "command": "~/bin/srv", "args": ["-x", ""], "env": {"A": "1", "B": "$C"}, "cwd": "sub",
            "enabled": false, "exposure": "hidden", "toolExposure": {"z*": "direct", "a": "hidden"},
            "startTimeoutMs": 1, "requestTimeoutMs": 2000, "maxRequestMs": 2147483647}"#,
    );
    let Transport::Stdio(written) = stdio.transport() else {
        panic!("not stdio")
    };
    assert_eq!(written.command().as_str(), "~/bin/srv");
    assert_eq!(
        written
            .args()
            .iter()
            .map(|arg| arg.as_str())
            .collect::<Vec<_>>(),
        ["-x", ""]
    );
    assert_eq!(
        written.env().map(|(name, _)| name).collect::<Vec<_>>(),
        ["A", "B"]
    );
    assert_eq!(written.cwd().unwrap().as_str(), "sub");
    assert!(!stdio.is_enabled() && !stdio.is_direct());
    assert_eq!(stdio.exposure(), Exposure::Hidden);
    assert_eq!(stdio.exposure_of("zebra"), Exposure::Direct);
    let limits = [
        stdio.start_timeout(),
        stdio.request_timeout(),
        stdio.max_request(),
    ];
    assert_eq!(
        limits.map(|limit| limit.unwrap().as_millis()),
        [1, 2000, 2_147_483_647]
    );

    let http = entry(r#"{"url": "https://u:p@[::1]:8443/mcp?k=v", "headers": {"X-A": "b"}}"#);
    let Transport::Http(written) = http.transport() else {
        panic!("not http")
    };
    assert_eq!(written.url().as_str(), "https://u:p@[::1]:8443/mcp?k=v");
    assert!(http.is_direct() && http.is_enabled());
    assert_eq!((http.start_timeout(), http.tool_exposure()), (None, None));
}

#[test]
fn an_exact_name_wins_then_the_first_pattern_then_the_servers_exposure() {
    let rules = entry(
        r#"{"command": "srv", "exposure": "hidden",
            "toolExposure": {"*_x": "direct", "a*": "hidden", "a_x": "hidden", "b?": "direct", "c*": "direct", "c*d": "hidden"}}"#,
    );
    for (tool, exposure) in [
        ("a_x", Exposure::Hidden),
        ("b_x", Exposure::Direct),
        ("aa", Exposure::Hidden),
        ("b1", Exposure::Direct),
        ("bé", Exposure::Direct),
        ("b12", Exposure::Hidden),
        ("c*d", Exposure::Hidden),
        ("cad", Exposure::Direct),
        ("other", Exposure::Hidden),
        ("", Exposure::Hidden),
    ] {
        assert_eq!(rules.exposure_of(tool), exposure, "{tool}");
    }
    assert!(rules.is_direct(), "one rule is direct");
    assert!(!entry(r#"{"command": "srv", "exposure": "hidden"}"#).is_direct());
    assert!(entry(r#"{"command": "srv", "toolExposure": {"*": "hidden"}}"#).is_direct());
    let stars = format!("{}b", "*a".repeat(50));
    let slow = entry(&format!(
        r#"{{"command": "srv", "toolExposure": {{"{stars}": "hidden"}}}}"#
    ));
    assert_eq!(slow.exposure_of(&"a".repeat(10_000)), Exposure::Direct);
}

#[test]
fn a_pattern_behind_the_one_for_all_is_warned_of() {
    check(
        r#"{"command": "srv", "toolExposure": {"a*": "direct", "*": "hidden", "read_*": "direct", "exact": "direct"}}"#,
        "ready",
        &[&[
            "warning",
            "toolExposure[\"read_*\"]: `read_*` decides nothing",
            "write `*` last",
        ]],
    );
}

#[test]
fn entries_that_are_no_entries_are_named() {
    check(
        "{}",
        "failed",
        &[&["the entry is empty", "`command`", "`url`"]],
    );
    check(
        "null",
        "failed",
        &[&["expected an object, found null", "\"enabled\": false"]],
    );
    check(
        "false",
        "failed",
        &[&["expected an object, found a boolean", "\"enabled\": false"]],
    );
    check(
        "\"npx\"",
        "failed",
        &[&["expected an object, found a string"]],
    );
    check("[]", "failed", &[&["expected an object, found an array"]]);
    check(
        "{\"enabled\": true}",
        "failed",
        &[&["there is no server of this name to override"]],
    );
    check(
        "{\"type\": \"stdio\"}",
        "failed",
        &[&["the type is stdio, but there is no `command`"]],
    );
    check(
        "{\"type\": \"http\", \"command\": \"x\"}",
        "failed",
        &[&["the type is http, but there is no `url`"]],
    );
    check(
        "{\"command\": \"x\", \"url\": \"http://h.invalid\"}",
        "failed",
        &[&["both `command` and `url`", "\"type\""]],
    );
    check(
        "{\"type\": \"stdio\", \"command\": \"x\", \"url\": \"http://h.invalid\"}",
        "ready",
        &[&["warning mcpServers.a.url: `url` has no effect on a stdio server"]],
    );
    check(
        "{\"comand\": \"x\", \"enabled\": true}",
        "failed",
        &[
            &[
                "error mcpServers.a: the entry has neither",
                "`comand` has no effect",
            ],
            &["did you mean `command`?"],
        ],
    );
}

#[test]
fn everything_that_is_wrong_is_told_whatever_the_kind_of_server() {
    let rest = r#""args": [1], "env": {"N": 5}, "cwd": "", "headers": {"X": null}"#;
    let words: [&[&str]; 4] = [&["args[0]"], &["env.N"], &["cwd"], &["headers.X"]];
    for (start, first) in [
        ("", &["neither"][..]),
        (r#""command": "srv", "url": "http://h", "#, &["both"]),
        (r#""type": "http", "#, &["no `url`"]),
        (r#""type": "ws", "#, &["WebSocket"]),
    ] {
        let expected: Vec<&[&str]> = std::iter::once(first).chain(words).collect();
        let config = user(format!("{{\"mcpServers\": {{\"a\": {{{start}{rest}}}}}}}"));
        let errors: Vec<_> = config
            .problems()
            .iter()
            .filter(|problem| problem.is_error())
            .cloned()
            .collect();
        assert_problems(start, &errors, &expected);
    }
}

#[test]
fn types_that_are_not_supported_say_what_to_write() {
    for (kind, word) in [
        ("sse", "\"type\": \"http\""),
        ("ws", "WebSocket"),
        ("local", "write \"stdio\""),
        ("remote", "write \"http\""),
        ("", "unknown type ``"),
    ] {
        check(
            &format!("{{\"type\": \"{kind}\", \"command\": \"x\"}}"),
            "failed",
            &[&["error mcpServers.a.type: ", word]],
        );
    }
    check(
        "{\"type\": \"sse\", \"url\": \"ftp://h\", \"headers\": 5}",
        "failed",
        &[
            &["a.type"],
            &["a.url"],
            &["a.headers: expected an object, found a number"],
        ],
    );
    check(
        "{\"type\": 5, \"command\": \"x\"}",
        "failed",
        &[&["a.type: expected a string, found a number"]],
    );
}

#[test]
fn whole_command_lines_are_taken_apart() {
    for (command, words) in [
        ("npx -y pkg", r#""command": "npx", "args": ["-y","pkg"]"#),
        (
            "uv run 'my file.py' ",
            r#""command": "uv", "args": ["run","my file.py"]"#,
        ),
        (" npx", r#"write "command": "npx""#),
        (
            "/opt/my app/srv --stdio",
            r#""command": "/opt/my", "args": ["app/srv","--stdio"]"#,
        ),
        (
            "cd /x && npm start",
            r#""command": "sh", "args": ["-c", "cd /x && npm start"]"#,
        ),
        ("A=1 srv", r#""command": "sh", "args": ["-c", "A=1 srv"]"#),
        ("srv --token sk-planted-0123456789", "[SECRET]"),
    ] {
        let json = format!("{{\"command\": {}}}", serde_json::Value::from(command));
        check(
            &json,
            "failed",
            &[&["error mcpServers.a.command: ", "whole command line", words]],
        );
    }
    check(
        "{\"command\": \"npx -y pkg\", \"args\": [\"--x\"]}",
        "failed",
        &[&["with the present `args` after them"]],
    );
    check(
        "{\"command\": \"/opt/my app/srv\"}",
        "ready",
        &[&["warning mcpServers.a.command: ", "spaces"]],
    );
    check(
        "{\"command\": \"\"}",
        "failed",
        &[&["the command is empty"]],
    );
    check(
        "{\"command\": \"  \"}",
        "failed",
        &[&["the command is empty"]],
    );
    check(
        "{\"command\": [\"npx\", \"-y\", \"pkg\"]}",
        "failed",
        &[&["not an array", r#""command": "npx", "args": ["-y","pkg"]"#]],
    );
    check(
        "{\"command\": \"srv\", \"args\": \"-y pkg\"}",
        "failed",
        &[&[r#"write "args": ["-y","pkg"]"#]],
    );
    check(
        "{\"command\": \"srv\", \"args\": [1, null]}",
        "failed",
        &[&["args[0]", "\"1\""], &["args[1]"]],
    );
}

#[test]
fn references_where_none_is_expanded_are_warned_about() {
    check(
        r#"{"command": "${HOME}/srv", "args": ["--x=$TOKEN", "$$", "$5", "${A:-b}", "plain"], "cwd": "$<DIR>"}"#,
        "ready",
        &[
            &[
                "warning mcpServers.a.command: `${HOME}` is not expanded here",
                "env",
            ],
            &["warning mcpServers.a.args[0]: `$TOKEN`"],
            &["warning mcpServers.a.args[3]: `${A"],
            &["warning mcpServers.a.cwd: `$<DIR>`"],
        ],
    );
    check(
        r#"{"url": "https://${HOST}/mcp"}"#,
        "ready",
        &[&["warning mcpServers.a.url: `${HOST}`"]],
    );
    check(
        r#"{"url": "https://${input:host}/mcp"}"#,
        "ready",
        &[&["warning mcpServers.a.url: `${input:host}`"]],
    );
}

#[test]
fn references_in_the_spelling_of_others_are_refused_with_ours() {
    for (value, written, ours) in [
        (
            "Bearer {env:MY_TOKEN}",
            "`{env:MY_TOKEN}`",
            "write ${MY_TOKEN}",
        ),
        (
            "Bearer ${env:MY_TOKEN}",
            "`${env:MY_TOKEN}`",
            "write ${MY_TOKEN}",
        ),
        (
            "${input:my-token}",
            "`${input:my-token}`",
            "write ${MY_TOKEN}",
        ),
    ] {
        for json in [
            format!(r#"{{"url": "https://h.invalid", "headers": {{"X-T": "{value}"}}}}"#),
            format!(r#"{{"command": "srv", "env": {{"X-T": "{value}"}}}}"#),
        ] {
            check(&json, "failed", &[&["error", ".X-T: ", written, ours]]);
        }
    }
    check(
        r#"{"command": "srv", "env": {"A": "$${input:x} {a} {env:} ${}"}}"#,
        "ready",
        &[],
    );
    for value in [
        "${VAR",
        "${VAR:+x}",
        "${VAR-x}",
        "${VAR:-x",
        "$(cat token)",
        "Bearer ${ VAR }",
        "${{ secrets.VAR }}",
        "${VAR.x}",
        "${VAR }",
        "${1VAR}",
        "${!VAR}",
        "${é}",
        "$<VAR",
        "%APPDATA%/x",
    ] {
        let json = format!(r#"{{"command": "srv", "env": {{"A": "{value}"}}}}"#);
        check(
            &json,
            "ready",
            &[&[
                "warning mcpServers.a.env.A: ",
                "is not a reference",
                "${NAME}",
            ]],
        );
    }
}

#[test]
fn what_only_resembles_a_reference_is_left_alone() {
    for value in [
        "$5",
        "100$",
        "$ {x}",
        "$${ VAR }",
        "${",
        "$<",
        "%E4%BD%A0",
        "%20ABC%20",
        "100%",
        "%path%",
    ] {
        let json = format!(r#"{{"command": "srv", "env": {{"A": "{value}"}}}}"#);
        check(&json, "ready", &[]);
    }
}

#[test]
fn a_reference_of_windows_is_named_where_none_is_expanded() {
    check(
        r#"{"command": "%APPDATA%/srv"}"#,
        "ready",
        &[&["warning mcpServers.a.command: `%APPDATA%` is not expanded here"]],
    );
}

#[test]
fn a_backslash_that_a_string_loses_is_told() {
    for (value, letter) in [
        (r"C:\\Users\\me", None),
        (r"C:/Users/me", None),
        (r"C:\Users\me", Some(r"`\U`")),
        (r"C:\new\test", Some(r"`\n`")),
        (r"--root=d:\build", Some(r"`\b`")),
        (r"C:\\Users\me", Some(r"`\m`")),
        (r"^\d+$", Some(r"`\d`")),
        (r"line\nline\ttab\/\'\u0041\x41", None),
        (r"note:\ntext", None),
        (r"\\\\server\\share", None),
    ] {
        let json = format!(r#"{{"command": "srv", "args": ["{value}"]}}"#);
        let expected = letter.map(|letter| vec!["warning mcpServers.a.args[0]: ", letter, "two"]);
        let expected: Vec<&[&str]> = expected.iter().map(Vec::as_slice).collect();
        check(&json, "ready", &expected);
    }
}

#[test]
fn names_of_variables_and_headers_are_checked() {
    check(
        r#"{"command": "srv", "env": {"": "x", "A=B": "x", "OK": "x"}}"#,
        "failed",
        &[
            &["a.env[\"\"]: ", "not a name"],
            &["a.env[\"A=B\"]: ", "not a name"],
        ],
    );
    check(
        r#"{"url": "https://h.invalid", "headers": {"": "x", "A B": "x", "X-é": "x", "Host": "h", "X-A": "1", "x-a": "2"}}"#,
        "failed",
        &[
            &["headers[\"\"]: ", "not a name"],
            &["headers[\"A B\"]: ", "not a name"],
            &["headers.X-é: ", "not a name"],
            &["headers.Host: the connection sets `Host` itself"],
            &["headers.x-a: ", "upper and lower case"],
        ],
    );
}

#[test]
fn headers_that_every_connection_sends_are_left_out_with_a_warning() {
    let json = r#"{"url": "https://h.invalid", "headers": {
        "Accept": "application/json, text/event-stream", "content-type": "application/json", "X-A": "1"}}"#;
    check(
        json,
        "ready",
        &[
            &["warning", "headers.Accept: ", "has no effect"],
            &["warning", "headers.content-type: ", "has no effect"],
        ],
    );
    let config = user(format!("{{\"mcpServers\": {{\"a\": {json}}}}}"));
    let Some(Transport::Http(http)) = config
        .get("a")
        .and_then(Server::entry)
        .map(ServerEntry::transport)
    else {
        panic!("a URL means http");
    };
    let names: Vec<&str> = http.headers().map(|(name, _)| name).collect();
    assert_eq!(names, ["X-A"]);
    for reserved in ["Mcp-Method", "mcp-param-x", "Mcp-Session-Id"] {
        let json = format!(r#"{{"url": "https://h.invalid", "headers": {{"{reserved}": "x"}}}}"#);
        check(&json, "failed", &[&["the connection sets", "itself"]]);
    }
}

#[test]
fn literal_values_are_checked_at_once() {
    for (value, word) in [
        ("", "the header is empty"),
        ("  ", "the header is empty"),
        ("a\\nb", "a line break"),
        ("a\\u0000b", "a NUL character"),
        ("tok-é", "not ASCII"),
    ] {
        let json = format!(r#"{{"url": "https://h.invalid", "headers": {{"X-A": "{value}"}}}}"#);
        check(
            &json,
            "failed",
            &[&["error mcpServers.a.headers.X-A: ", word]],
        );
    }
    check(
        r#"{"url": "https://h.invalid", "headers": {"Authorization": "Bearer "}}"#,
        "failed",
        &[&["headers.Authorization: the header is only `Bearer`"]],
    );
    check(
        r#"{"url": "https://h.invalid", "headers": {"X-Mode": "token"}}"#,
        "ready",
        &[],
    );
    check(
        r#"{"command": "srv", "env": {"A": "a\u0000b"}}"#,
        "failed",
        &[&["env.A: ", "NUL"]],
    );
    check(
        r#"{"command": "srv", "env": {"A": "line\nline\r\n", "E": ""}}"#,
        "ready",
        &[],
    );
    check(
        r#"{"command": "srv", "env": {"A": "!", "B": "! "}}"#,
        "failed",
        &[&["env.A: ", "no command"], &["env.B: "]],
    );
    check(
        r#"{"command": "a\u0000b", "args": ["\u0000"], "cwd": "\u0000"}"#,
        "failed",
        &[&["a.command"], &["args[0]"], &["cwd"]],
    );
}

#[test]
fn switches_and_limits_are_checked() {
    check(
        r#"{"command": "srv", "enabled": true, "disabled": false}"#,
        "ready",
        &[],
    );
    check(r#"{"command": "srv", "disabled": true}"#, "disabled", &[]);
    check(
        r#"{"command": "srv", "enabled": true, "disabled": true}"#,
        "failed",
        &[&["a.disabled: `enabled` and `disabled` are both true"]],
    );
    check(
        r#"{"command": "srv", "enabled": "false"}"#,
        "failed",
        &[&["a.enabled: ", "\"enabled\": false, without quotes"]],
    );
    check(
        r#"{"command": "srv", "enabled": 1}"#,
        "failed",
        &[&["a.enabled: expected a boolean, found a number"]],
    );
    check(
        r#"{"command": "srv", "exposure": "deferred"}"#,
        "failed",
        &[&["a.exposure: not an exposure", "\"direct\"", "\"hidden\""]],
    );
    check(
        r#"{"command": "srv", "toolExposure": {"x": true, "": "hidden", "y": "no"}}"#,
        "failed",
        &[
            &["toolExposure.x: expected a string"],
            &["toolExposure[\"\"]: an empty tool name"],
            &["toolExposure.y: "],
        ],
    );
    check(
        r#"{"command": "srv", "toolExposure": ["x"]}"#,
        "failed",
        &[&["toolExposure: expected an object, found an array"]],
    );
}

#[test]
fn time_limits_are_checked() {
    for (value, word) in [
        ("0", "0 would fail"),
        ("-1", "whole, positive"),
        ("1.5", "whole, positive"),
        ("2147483648", "24 days"),
        ("\"30s\"", "found a string"),
        ("Infinity", "whole, positive"),
    ] {
        check(
            &format!(r#"{{"command": "srv", "startTimeoutMs": {value}}}"#),
            "failed",
            &[&["a.startTimeoutMs: ", word, "30000"]],
        );
    }
    check(
        r#"{"command": "srv", "requestTimeoutMs": 2000, "maxRequestMs": 1000}"#,
        "ready",
        &[&[
            "warning mcpServers.a.requestTimeoutMs: ",
            "longer than `maxRequestMs`",
        ]],
    );
}

#[test]
fn sign_in_is_not_supported_yet() {
    check(
        r#"{"url": "https://h.invalid", "auth": "oauth"}"#,
        "failed",
        &[&["error mcpServers.a.auth: `auth` is not supported yet"]],
    );
    check(
        r#"{"url": "https://h.invalid", "oauth": {"clientId": "x"}}"#,
        "failed",
        &[&["`oauth` is not supported yet"]],
    );
}

#[test]
fn members_without_meaning_are_warned_about_with_advice() {
    for (member, advice) in [
        ("serverUrl", "write `url`"),
        ("httpUrl", "write `url`"),
        ("timeout", "write `requestTimeoutMs`"),
        ("startup_timeout_sec", "write `startTimeoutMs`"),
        ("disabledTools", "write `toolExposure`"),
        ("autoApprove", "remove it"),
        ("envFile", "write the variables as `env`"),
        ("working_directory", "write `cwd`"),
        ("bearer_token_env_var", "Authorization"),
        ("oauth_client_id", "sign-in is not supported yet"),
        ("start_timeout_ms", "did you mean `startTimeoutMs`?"),
        ("Headers", "did you mean `headers`?"),
        ("enviroment", "unknown member"),
        ("quux", "JSON Schema"),
    ] {
        let json = format!(r#"{{"command": "srv", "{member}": "sk-planted-value"}}"#);
        check(
            &json,
            "ready",
            &[&["warning mcpServers.a.", member, advice]],
        );
    }
    check(
        r#"{"url": "https://h.invalid", "args": [], "env": {}, "cwd": "x"}"#,
        "ready",
        &[
            &["`args` has no effect on an http server"],
            &["`env` has no"],
            &["`cwd` has no"],
        ],
    );
    check(
        r#"{"command": "srv", "headers": {}}"#,
        "ready",
        &[&["`headers` has no effect on a stdio server"]],
    );
    check(
        r#"{"command": "~user/srv", "cwd": "~"}"#,
        "ready",
        &[&["only `~/`"], &["only `~/`"]],
    );
}

#[test]
fn urls_are_checked() {
    for url in [
        "http://h",
        "HTTPS://h.invalid:443/mcp",
        "http://127.0.0.1:9",
        "http://[::1]/",
        "http://u@h/?a=b#c",
        "http://h:/x",
    ] {
        check(&format!(r#"{{"url": "{url}"}}"#), "ready", &[]);
    }
    for (url, word) in [
        ("localhost:3000/mcp", "http://"),
        ("http://", "no host"),
        ("http://:80", "no host"),
        ("http://u@/x", "no host"),
        ("http://h:99999", "port"),
        ("http://h:x", "port"),
        ("http://[::1", "IPv6"),
        ("http://a b/", "white space"),
        (" http://h", "white space"),
    ] {
        check(
            &format!(r#"{{"url": "{url}"}}"#),
            "failed",
            &[&["error mcpServers.a.url: ", word]],
        );
    }
    check(
        r#"{"url": ["http://h"]}"#,
        "failed",
        &[&["a.url: expected a string, found an array"]],
    );
}

#[test]
fn names_may_be_anything_but_blank() {
    let config = user(
        "{\"mcpServers\": {\"\": {\"command\": \"x\"}, \" \": {\"command\": \"x\"}, \"Ünï \\u001b[1m\": {\"command\": \"x\"}, \"a.b\": {\"args\": []}}}",
    );
    assert_problems(
        "names",
        config.problems(),
        &[
            &["error mcpServers[\"\"]: a server needs a name"],
            &["error mcpServers[\" \"]: a server needs a name"],
            &["error mcpServers[\"a.b\"]: "],
        ],
    );
    assert!(matches!(
        config.get("Ünï \u{1b}[1m"),
        Some(Server::Ready(_))
    ));
    assert_eq!(config.servers().count(), 2);
}
