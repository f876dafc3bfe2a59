//! Clients in other languages: the official TypeScript and Python clients and fastmcp, as small
//! programs that print the same figures. `scripts/bench-peers.sh` installs what they stand on.

use std::env;
use std::error::Error;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::Outcome;
use crate::peer::{Form, HTTP_COMMAND, PeerSpec, STDIO_COMMAND};

/// A program in another language.
struct Program {
    subject: &'static str,
    /// Below the folder of what was installed.
    interpreter: &'static str,
    file: &'static str,
    text: &'static str,
}

const PROGRAMS: [Program; 3] = [
    Program {
        subject: "typescript",
        interpreter: "node",
        file: "typescript.mjs",
        text: include_str!("../peers/typescript.mjs"),
    },
    Program {
        subject: "python",
        interpreter: "python/bin/python",
        file: "python.py",
        text: include_str!("../peers/python.py"),
    },
    Program {
        subject: "fastmcp",
        interpreter: "fastmcp/bin/python",
        file: "fastmcp_client.py",
        text: include_str!("../peers/fastmcp_client.py"),
    },
];
/// What the Python programs share.
const SHARED: (&str, &str) = ("workloads.py", include_str!("../peers/workloads.py"));
/// What stands before the subject of a client over HTTP.
const HTTP: &str = "http-";

/// Whether a subject is a client in another language.
pub(crate) fn is_subject(subject: &str) -> bool {
    find(subject).is_some()
}

fn find(subject: &str) -> Option<&'static Program> {
    let name = subject.strip_prefix(HTTP).unwrap_or(subject);
    PROGRAMS.iter().find(|program| program.subject == name)
}

/// What is installed, for the report: a name and its version a line.
pub(crate) fn versions() -> Outcome<Vec<String>> {
    let file = folder()?.join("versions.txt");
    let text = fs::read_to_string(&file).map_err(
        |_| "the clients in other languages are not installed: run scripts/bench-peers.sh",
    )?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Turns this process into the client's program, which keeps the core; returns only why that failed.
pub(crate) fn become_client(
    subject: &str,
    workload: &str,
    count: &str,
) -> Box<dyn Error + Send + Sync> {
    match command(subject, workload, count) {
        Ok(mut command) => {
            let error = command.exec();
            format!("{}: {error}", command.get_program().display()).into()
        }
        Err(error) => error,
    }
}

/// `PROGRAM LINK WORKLOAD COUNT TEXT SERVER…`: the link is `stdio` or `http`, the text's length is
/// that of a result, and the rest starts the server.
fn command(subject: &str, workload: &str, count: &str) -> Outcome<Command> {
    let program = find(subject).ok_or("there is no such client")?;
    let folder = folder()?;
    // Modules are looked for beside the program, so it has to lie where they were installed.
    for (file, text) in [(program.file, program.text), SHARED] {
        write(&folder.join(file), text)?;
    }
    let (link, server) = if subject.starts_with(HTTP) {
        ("http", HTTP_COMMAND)
    } else {
        ("stdio", STDIO_COMMAND)
    };
    let (kind, size) = workload.split_once(':').unwrap_or((workload, "0"));
    let peer = peer(kind, size.parse()?)?;
    let interpreter = match program.interpreter {
        "node" => PathBuf::from("node"),
        installed => folder.join(installed),
    };
    let mut command = Command::new(interpreter);
    command
        .arg(folder.join(program.file))
        .args([link, workload, count, &peer.text.to_string()])
        .arg(env::current_exe()?)
        .args(peer.arguments(server));
    Ok(command)
}

fn peer(kind: &str, size: usize) -> Outcome<PeerSpec> {
    let (text, tools, schema) = match kind {
        "sequential" | "in-flight" => (100, 1, 100),
        "text" => (size, 1, 100),
        "list" => (0, size, 3_600),
        "connect" => (0, 10, 100),
        _ => return Err(format!("these clients have no workload {kind:?}").into()),
    };
    Ok(PeerSpec {
        text,
        tools,
        schema,
        form: Form::Json,
    })
}

/// Beside the folder of this program, as the script has it.
fn folder() -> Outcome<PathBuf> {
    let program = env::current_exe()?;
    let target = program
        .ancestors()
        .nth(2)
        .ok_or("this program lies in no target folder")?;
    Ok(target.join("bench-peers"))
}

fn write(file: &Path, text: &str) -> Outcome<()> {
    fs::write(file, text)
        .map_err(|error| format!("cannot write {}: {error}", file.display()).into())
}
