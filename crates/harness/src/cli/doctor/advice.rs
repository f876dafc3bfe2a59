//! What to do about each kind of failure, in the words of what the person wrote.

use std::path::Path;

use mcp_config::{Config, Environment, Server, ServerEntry, StdioEntry, Transport, explain};
use mcp_session::{FailureKind, ServerState, ServerStatus, Stage};
use serde_json::Value;

use super::checkup::{entry, failure};

/// A server that is not well, and where it stands.
pub(super) struct Case<'a> {
    pub(super) config: &'a Config,
    pub(super) configured: &'a Server,
    pub(super) status: &'a ServerStatus,
    pub(super) environment: &'a Environment,
    pub(super) base: &'a Path,
}

/// The steps, the most promising first; none for a server that is well.
pub(super) fn advice(case: &Case<'_>) -> Vec<String> {
    if case.status.state == ServerState::AwaitingApproval {
        return awaiting(case);
    }
    let Some(kind) = failure(case.status) else {
        return Vec::new();
    };
    let entry = entry(case.config, &case.status.server);
    match entry.map(ServerEntry::transport) {
        _ if kind == FailureKind::Entry => {
            vec!["mend its entry; the problems at the top say how".to_owned()]
        }
        None => Vec::new(),
        Some(Transport::Stdio(stdio)) => of_process(case, kind, stdio),
        Some(Transport::Http(http)) => of_url(case, kind, http.url()),
    }
}

fn awaiting(case: &Case<'_>) -> Vec<String> {
    let file = case.configured.origin().file();
    let file = file.map_or_else(|| "the file".to_owned(), |file| file.display().to_string());
    vec![format!(
        "{file} came with the project and can run any command: read it, then pass --trust-project, or run this on a \
         terminal to be asked about each entry"
    )]
}

fn of_process(case: &Case<'_>, kind: FailureKind, stdio: &StdioEntry) -> Vec<String> {
    match kind {
        FailureKind::CommandNotFound => not_found(stdio),
        FailureKind::CommandNotExecutable => vec![
            "make it executable (chmod +x), or write the program that runs it as `command` and the file first in `args`"
                .to_owned(),
        ],
        FailureKind::Directory => {
            vec!["correct `cwd`, or leave it out: then it is the project's folder".to_owned()]
        }
        FailureKind::Exited => vec![by_hand(case)],
        FailureKind::Timeout => process_timeout(case),
        FailureKind::NotMcp | FailureKind::Refused => vec![
            "it does not answer as an MCP server does: is this the right command, and does it need an argument such as \
             `stdio`?"
                .to_owned(),
            by_hand(case),
        ],
        other => of_both(case, other),
    }
}

/// Programs that people know by the names of their launchers.
const LAUNCHERS: [(&[&str], &str); 5] = [
    (
        &["npx", "node", "npm"],
        "install Node.js (https://nodejs.org)",
    ),
    (&["uvx", "uv"], "install uv (https://docs.astral.sh/uv)"),
    (&["python", "python3", "pip", "pipx"], "install Python 3"),
    (&["docker", "podman"], "install Docker or Podman"),
    (&["bun", "bunx", "deno"], "install Bun or Deno"),
];

fn not_found(stdio: &StdioEntry) -> Vec<String> {
    let command = stdio.command().as_str();
    if command.contains('/') {
        return vec![
            "correct the path; a relative one begins at `cwd`, or at the project's folder"
                .to_owned(),
        ];
    }
    let known = LAUNCHERS
        .iter()
        .find(|(names, _)| names.contains(&command))
        .map_or("install it", |(_, install)| install);
    vec![
        known.to_owned(),
        format!(
            "if it is installed, write its full path as `command` (in the shell where it works, `command -v {command}` \
             prints it), or set PATH in the `env` of the entry: programs that are started from a desktop often have a \
             shorter PATH than a shell"
        ),
    ]
}

fn process_timeout(case: &Case<'_>) -> Vec<String> {
    let mut steps = Vec::new();
    if case
        .status
        .error
        .as_deref()
        .is_some_and(|error| error.contains("was no message"))
    {
        steps.push(
            "what it prints on stdout is not MCP: is this the right command, and does it need an argument such as \
             `stdio`?"
                .to_owned(),
        );
    }
    steps.push(if is_in(case, Stage::List) {
        "it shook hands and did not list its tools: look at its own log, or at the service behind it".to_owned()
    } else {
        by_hand(case) + "; a first start may download much, and be quick from then on"
    });
    steps.push("if it needs longer, raise `startTimeoutMs`, and --timeout here".to_owned());
    steps
}

fn of_url(case: &Case<'_>, kind: FailureKind, url: &str) -> Vec<String> {
    match kind {
        FailureKind::Dns => vec![
            "correct the host's name in `url`; if it is right, look at the network, at a VPN, or at the proxy variables"
                .to_owned(),
        ],
        FailureKind::Tls if says(case, "corrupt message") => {
            vec!["what answers there speaks no TLS: write http:// instead of https://".to_owned()]
        }
        FailureKind::Tls => vec![
            "if the certificate comes from an authority of your own, name its file in the variable SSL_CERT_FILE"
                .to_owned(),
            "else the server's operator has to renew or correct it".to_owned(),
        ],
        FailureKind::Network => vec![format!(
            "start the server, or correct host and port in `url`{}",
            proxy(case.environment)
        )],
        FailureKind::Credentials => vec![credentials(case)],
        FailureKind::NotMcp => vec![format!(
            "correct the path of `url`: what answers there is no MCP endpoint{}",
            if url.trim_end_matches('/').ends_with("/mcp") {
                ""
            } else {
                "; many servers have it at /mcp"
            }
        )],
        FailureKind::Timeout => vec![
            "look whether the server is well: it took the connection and does not answer".to_owned(),
            "if it needs longer, raise `startTimeoutMs`, and --timeout here".to_owned(),
        ],
        other => of_both(case, other),
    }
}

fn proxy(environment: &Environment) -> &'static str {
    let names = [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
    ];
    if names.iter().any(|name| environment.get(name).is_some()) {
        "; a proxy is set in the environment, and NO_PROXY exempts hosts from it"
    } else {
        ""
    }
}

fn credentials(case: &Case<'_>) -> String {
    let known = "headers.Authorization";
    if says(case, "in the header") {
        "put a credential that is valid there".to_owned()
    } else if says(case, "resource_metadata") {
        format!(
            "the server wants a sign-in by OAuth, which is not supported yet; if it takes tokens too, set {known}: \
             \"Bearer ${{TOKEN}}\""
        )
    } else {
        format!("add {known} to the entry, for example \"Bearer ${{TOKEN}}\", and set the variable")
    }
}

fn of_both(case: &Case<'_>, kind: FailureKind) -> Vec<String> {
    let step = match kind {
        FailureKind::Variable => return variables(case),
        FailureKind::ValueCommand => format!(
            "run the command of that value by hand, in {}: it has to print the value, and to end with success",
            case.base.display()
        ),
        FailureKind::Value => "correct that value".to_owned(),
        FailureKind::Version => {
            "update the server: it speaks no version of MCP that is spoken here".to_owned()
        }
        FailureKind::Refused => "its own words say why; look at its documentation".to_owned(),
        _ => "its log may say more: mcp.log in the runtime's own folder".to_owned(),
    };
    vec![step]
}

/// Which variables are missing, and how to give each a default.
fn variables(case: &Case<'_>) -> Vec<String> {
    let Some(entry) = entry(case.config, &case.status.server) else {
        return Vec::new();
    };
    let used = entry.variables();
    let missing = used
        .into_iter()
        .filter(|name| case.environment.get(name).is_none_or(str::is_empty))
        .filter(|name| says(case, name));
    let mut steps: Vec<String> = missing
        .map(|name| {
            format!(
                "set {name} where the host is started, or give it a default in the entry: ${{{name}:-…}}"
            )
        })
        .collect();
    if steps.is_empty() {
        steps.push("correct that value, or remove it".to_owned());
    }
    steps
}

fn says(case: &Case<'_>, words: &str) -> bool {
    case.status
        .error
        .as_deref()
        .is_some_and(|error| error.contains(words))
}

fn is_in(case: &Case<'_>, stage: Stage) -> bool {
    case.status
        .stages
        .last()
        .is_some_and(|time| time.stage == stage)
}

/// The command as a line for a shell; what looks like a credential is hidden in it.
fn by_hand(case: &Case<'_>) -> String {
    let shown = serde_json::to_value(explain(case.config)).unwrap_or_default();
    let server = &shown["servers"][case.status.server.as_str()];
    let args = server["args"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let words = std::iter::once(&server["command"])
        .chain(args)
        .filter_map(Value::as_str)
        .map(quoted);
    let line: Vec<String> = words.collect();
    format!("run it by hand, and see what it says: {}", line.join(" "))
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
