//! Credentials planted in many places, which must not show in anything that the crate prints.

use std::fmt::Write as _;
use std::path::Path;

use mcp_config::{
    CommandFailure, Config, DigestKey, Environment, Layer, Outputs, RenderOptions, Secret, Server,
    ServerEntry, TIME_LIMIT, Transport, Trust, escape_json, explain, load, render,
};

use crate::example;
use crate::support::Files;

/// Each place has its own number, so that a failure says which one leaks.
const USER: &str = r#"{
  // a comment with planted-01
  "mcpServers": {
    "stdio": {
      "command": "srv",
      "args": ["--api-key", "planted-02", "--token=planted-03", "--header", "Authorization: Bearer planted-04",
               "postgres://demo:planted-05@db.invalid/x", "https://h.invalid/?access_token=planted-06"],
      "env": {
        "LITERAL": "planted-07",
        "DEFAULT": "${UNSET:-planted-08}",
        "NESTED": "${UNSET:-${UNSET2:-planted-09}}",
        "VARIABLE": "${PLANTED_10}",
        "COMMAND": "!print planted-11",
        "MIXED": "planted-12${PLANTED_10}",
        "BANG": "!!planted-13"
      }
    },
    "http": {
      "url": "https://demo:planted-14@h.invalid/mcp?key=planted-15",
      "headers": {
        "Authorization": "Bearer planted-16",
        "X-Key": "${PLANTED_17}",
        "X-Command": "!print planted-18"
      }
    },
    "wrong-env": { "command": "srv", "env": { "TOKEN": ["planted-19"], "API_KEY": 9990002000, "SECRET": { "a": "planted-21" } } },
    "wrong-headers": { "url": "https://h.invalid", "headers": { "Authorization": "planted-22\n", "X-É": "planted-23" } },
    "wrong-url": { "url": "ftp://demo:planted-24@h.invalid/" },
    "unknown": { "command": "srv", "password": "planted-25", "environment": { "TOKEN": "planted-26" } },
    "line": { "command": "srv --token planted-27 --header 'X-Key: planted-28'" },
    "array": { "command": ["srv", "--api-key=planted-29"] },
    "args": { "command": "srv", "args": "--password planted-30" },
    "double": { "command": "srv", "env": { "A": "planted-31", "A": "planted-32" } },
    "auth": { "url": "https://h.invalid", "auth": "planted-33", "oauth": { "clientSecret": "planted-34" } },
    "sse": { "type": "sse", "url": "https://h.invalid/sse?token=planted-35" }
  },
  "servers": { "x": { "env": { "T": "planted-36" } } },
  "secret": "planted-37"
}"#;

const PROJECT: &str = r#"{"mcpServers": {
  "stdio": { "command": "other", "env": { "T": "planted-40" } },
  "mine": { "command": "sh", "args": ["-c", "curl -H 'X-Key: planted-41' --token planted-42 https://u:planted-43@h.invalid"], "env": { "T": "planted-44" } }
}}"#;

/// Broken files, each shown with the line that is wrong.
const BROKEN: [&str; 6] = [
    "{\"mcpServers\": {\"a\": {\"env\": {\"TOKEN\": \"planted-50\" \"B\": 1}}}}",
    "{\"mcpServers\": {\"a\": {\"env\": {\"TOKEN\": planted-51}}}}",
    "{\"mcpServers\": {\"a\": {\"env\": {\"TOKEN\": \"planted-52}}}}",
    "{\"mcpServers\": {\"a\": {\"env\": {\"TOKEN: \"planted-53\"}}}}",
    "[mcp_servers.a.env]\nTOKEN = \"planted-54\"",
    "{\"mcpServers\": {}} // planted-55\n \"planted-56\"",
];

fn environment() -> Environment {
    [
        ("PLANTED_10", "planted-10"),
        ("PLANTED_17", "planted-17"),
        ("HOME", "/home/demo"),
    ]
    .into_iter()
    .collect()
}

fn assert_clean(what: &str, output: &str) {
    let leak = output
        .find("planted-")
        .map(|at| &output[at..(at + 10).min(output.len())]);
    assert_eq!(leak, None, "{what} leaks: {output}");
    assert!(
        !output.contains("9990002000"),
        "{what} leaks a number: {output}"
    );
}

/// Everything that can be printed of a configuration. Writing to a string cannot fail.
fn printed(config: &Config) -> String {
    let explanation = explain(config);
    let mut output = render(config.problems(), RenderOptions::default());
    output.push_str(&render(
        config.problems(),
        RenderOptions {
            colour: true,
            width: 40,
        },
    ));
    output.push_str(&explanation.to_string());
    output.push_str(&escape_json(
        &serde_json::to_string_pretty(&explanation).unwrap(),
    ));
    let _ = write!(output, "{config:?}{explanation:?}");
    for problem in config.problems() {
        let json = serde_json::to_string(problem).unwrap();
        let _ = write!(output, "{problem}{problem:?}{json}");
    }
    for pending in config.pending() {
        let _ = write!(output, "{}{pending:?}", pending.summary());
    }
    for (_, server) in config.servers() {
        if let Server::Failed(failed) = server {
            output.push_str(&failed.message());
        }
    }
    output
}

#[test]
fn planted_credentials_show_in_no_output_of_reading() {
    let files = Files::new();
    let user = || Layer::user(files.write("user.json", USER));
    let project = || Layer::project(files.write("project.json", PROJECT));
    assert_clean("user", &printed(&load(&[user()])));
    assert_clean(
        "trusted",
        &printed(&load(&[user(), project().with_trust(Trust::Trusted)])),
    );
    assert_clean("untrusted", &printed(&load(&[user(), project()])));
    for (index, broken) in BROKEN.iter().enumerate() {
        assert_clean(
            &format!("broken {index}"),
            &printed(&load(&[Layer::user(files.write("b.json", broken))])),
        );
    }
}

#[test]
fn planted_credentials_show_in_no_output_of_resolving() {
    let files = Files::new();
    let config = load(&[Layer::user(files.write("user.json", USER))]);
    let (mut resolved, mut complete) = (0, 0);
    for (name, server) in config.servers() {
        let Some(entry) = server.entry() else {
            continue;
        };
        let commands = entry.commands();
        let good: Outputs = commands
            .iter()
            .map(|command| (command.clone(), Ok(b"planted-60\n".to_vec())))
            .collect();
        let nul: Outputs = commands
            .iter()
            .map(|command| (command.clone(), Ok(b"planted-62\0\r\n".to_vec())))
            .collect();
        let bad: Outputs = commands
            .iter()
            .map(|command| {
                (
                    command.clone(),
                    Err(CommandFailure::TimedOut { limit: TIME_LIMIT }),
                )
            })
            .collect();
        for outputs in [good, bad, nul, Outputs::new()] {
            for environment in [environment(), Environment::new()] {
                let output = match entry.resolve(&environment, &outputs, Path::new("/base")) {
                    Ok(server) => {
                        complete += 1;
                        format!("{server:?}")
                    }
                    Err(errors) => {
                        let report = render(&errors.problems(), RenderOptions::default());
                        format!("{errors}{errors:?}{report}")
                    }
                };
                assert_clean(name, &output);
                resolved += 1;
            }
            assert_clean(name, &format!("{outputs:?}"));
        }
        let digest = entry.variables_digest(&environment(), &DigestKey::new([1; 32]));
        assert_clean(
            name,
            &format!("{entry:?}{commands:?}{digest:?}{:?}", environment()),
        );
    }
    assert!(resolved > 10 && complete > 2, "{resolved} {complete}");
    let pieces = config
        .servers()
        .filter_map(|(_, server)| server.entry())
        .map(pieces);
    assert_clean("pieces", &pieces.collect::<String>());
    assert_clean("secret", &format!("{0}{0:?}", Secret::new("planted-61")));
}

/// The parts of an entry, each alone.
fn pieces(entry: &ServerEntry) -> String {
    match entry.transport() {
        Transport::Stdio(stdio) => {
            let env: Vec<_> = stdio.env().collect();
            format!("{stdio:?}{:?}{:?}{env:?}", stdio.command(), stdio.args())
        }
        Transport::Http(http) => {
            let headers: Vec<_> = http.headers().collect();
            format!("{http:?}{:?}{headers:?}", http.url())
        }
    }
}

#[test]
fn planted_credentials_show_in_no_output_of_the_example() {
    let files = Files::new();
    let user = files.write("user.json", USER);
    let project = files.write("project.json", PROJECT);
    let (user, project) = (user.to_str().unwrap(), project.to_str().unwrap());
    for extra in [
        &["--json"][..],
        &[],
        &["--trust-project", "--json"],
        &["--trust-project"],
    ] {
        let arguments = [&["--user-file", user, "--project-file", project][..], extra].concat();
        let Some(output) = example::explain(&arguments) else {
            return;
        };
        assert_clean("standard output", &String::from_utf8_lossy(&output.stdout));
        assert_clean("standard error", &String::from_utf8_lossy(&output.stderr));
    }
}
