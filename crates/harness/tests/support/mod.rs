//! A folder of somebody's own scenarios and artifacts, and the command run in it.

#![allow(dead_code, reason = "each test file uses its part")]
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "tests tell what they skip, and fail by panicking"
)]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use tempfile::TempDir;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_mcp-harness");

/// A scenario that passes once its artifact is accepted.
pub(crate) const PLAIN: &str =
    "{ title: 't', proves: 'That it connects.', servers: { it: { tools: [] } },
    client: [{ connect: { server: 'it' } }, 'close'] }";

/// A folder with `scenarios/s/<name>.json5` and `artifacts/s/<name>.json`.
pub(crate) struct Own {
    folder: TempDir,
}

/// What a run of the command brought.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) all: String,
}

impl Own {
    pub(crate) fn new(scenarios: &[(&str, &str)]) -> Own {
        let own = Own {
            folder: tempfile::tempdir().expect("a temporary folder can be made"),
        };
        for (name, text) in scenarios {
            own.write(&format!("scenarios/s/{name}.json5"), text);
        }
        own
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).expect("the file is there")
    }

    /// Runs a subcommand on these scenarios, without a terminal.
    pub(crate) fn run(&self, subcommand: &str, arguments: &[&str]) -> Ran {
        let mut command = Command::new(BINARY);
        command.arg(subcommand).args(arguments).args([
            "--scenarios",
            "scenarios",
            "--artifacts",
            "artifacts",
        ]);
        let output = self.prepared(command).stdin(Stdio::null()).output();
        Ran::new(&output.expect("the command can be started"))
    }

    /// Runs a line of a shell.
    pub(crate) fn shell(&self, line: &str) -> Ran {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]);
        let output = self.prepared(command).stdin(Stdio::null()).output();
        Ran::new(&output.expect("the shell can be started"))
    }

    /// Runs a subcommand on these scenarios on a terminal; nothing where there is no `script` to make one.
    pub(crate) fn on_terminal(&self, subcommand: &str, arguments: &[&str]) -> Option<Terminal> {
        if !Path::new("/usr/bin/script").exists() {
            println!("skipped: no `script` command");
            return None;
        }
        let arguments = arguments.join(" ");
        let line = format!(
            "{BINARY} {subcommand} {arguments} --scenarios scenarios --artifacts artifacts"
        );
        let mut command = Command::new("/usr/bin/script");
        command.args(["-qec", &line, "/dev/null"]);
        let child = self
            .prepared(command)
            .env("TERM", "xterm")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.expect("script runs");
        Some(Terminal {
            input: child.stdin.take().expect("it is piped"),
            output: child.stdout.take().expect("it is piped"),
            child,
            seen: String::new(),
        })
    }

    fn prepared(&self, mut command: Command) -> Command {
        command
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.folder.path());
        command
    }
}

impl Ran {
    fn new(output: &Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the output is text");
        Ran {
            code: output.status.code().unwrap_or(-1),
            all: text(&output.stdout) + &text(&output.stderr),
        }
    }

    pub(crate) fn says(&self, code: i32, parts: &[&str]) -> &Ran {
        assert_eq!(self.code, code, "{}", self.all);
        for part in parts {
            assert!(
                self.all.contains(part),
                "{part:?} is missing in\n{}",
                self.all
            );
        }
        self
    }
}

/// A command on a terminal, and the keys of a person.
pub(crate) struct Terminal {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    seen: String,
}

impl Terminal {
    /// Reads until the screen shows this, anew since the last key.
    pub(crate) fn shows(&mut self, text: &str) -> &mut Terminal {
        let mut bytes = [0; 4096];
        while !self.seen.contains(text) {
            let read = self.output.read(&mut bytes).expect("it can be read");
            assert!(read > 0, "{text:?} never came; the screen: {}", self.seen);
            self.seen += &String::from_utf8_lossy(&bytes[..read]);
        }
        self
    }

    pub(crate) fn press(&mut self, keys: &str) -> &mut Terminal {
        self.seen.clear();
        self.input
            .write_all(keys.as_bytes())
            .expect("it takes keys");
        self
    }

    /// Reads the rest, and the exit code.
    pub(crate) fn end(mut self) -> Ran {
        self.output
            .read_to_string(&mut self.seen)
            .expect("the output is text");
        let status = self.child.wait().expect("it ends");
        Ran {
            code: status.code().unwrap_or(-1),
            all: self.seen,
        }
    }
}
