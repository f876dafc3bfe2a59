//! A person's machine, and the command run on it.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_mcp-harness");

/// A person's machine: a home, a project, nothing else.
pub(crate) struct Machine {
    folder: TempDir,
}

/// What a run of the command brought.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Machine {
    pub(crate) fn new() -> Machine {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        for name in ["home/.codework", "project/.codework", "work"] {
            fs::create_dir_all(folder.path().join(name)).expect("a folder can be made");
        }
        Machine { folder }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    pub(crate) fn write(&self, relative: &str, text: &str) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder can be made");
        fs::write(&path, text).expect("a file can be written");
        path
    }

    /// A config file with these entries.
    pub(crate) fn config(&self, entries: &str) -> String {
        let file = self.write(
            "work/mcp.json",
            &format!("{{\"mcpServers\": {{{entries}}}}}"),
        );
        file.display().to_string()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(BINARY);
        command
            .args(arguments)
            .current_dir(self.path("work"))
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.path("home"))
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        ran(&self
            .command(arguments)
            .output()
            .expect("the command can be started"))
    }
}

/// An output that nobody reads any more, as behind `| head` once that has ended.
pub(crate) fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    writer.into()
}

pub(crate) fn ran(output: &Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout.clone()).expect("the output is text"),
        err: String::from_utf8(output.stderr.clone()).expect("the messages are text"),
    }
}

impl Ran {
    pub(crate) fn says(&self, code: i32, parts: &[&str]) -> &Ran {
        let all = format!("{}{}", self.out, self.err);
        assert_eq!(self.code, code, "{all}");
        for part in parts {
            assert!(all.contains(part), "{part:?} is missing in\n{all}");
        }
        self
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

/// An entry for a fixture server with this script.
pub(crate) fn server(name: &str, script: &str) -> String {
    let text = |value: &str| Value::from(value).to_string();
    format!(
        "{}: {{\"command\": {}, \"args\": [\"fixture-server\", \"--script-json\", {}]}}",
        text(name),
        text(BINARY),
        text(script)
    )
}

pub(crate) const NOTES: &str = r#"{"tools":[{"name":"add","description":"Adds a note.\nSecond line.","inputSchema":{ "type":"object",  "properties":{"z":{"const":1.0},"a":{}} }}],
    "calls":{"add":{"text":"added"}}}"#;

pub(crate) fn parts(value: &Value) -> Vec<String> {
    value
        .as_object()
        .expect("it is an object")
        .keys()
        .cloned()
        .collect()
}
