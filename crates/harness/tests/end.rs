//! However the harness ends, no fixture server outlives it.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use mcp_config::{Environment, Layer};
use mcp_harness::sandbox::find_leaks;
use mcp_session::Session;
use rustix::process::{Pid, Signal, kill_process};

const BINARY: &str = env!("CARGO_BIN_EXE_mcp-harness");

/// Servers outlive their host by no more than this.
const PATIENCE: Duration = Duration::from_secs(5);

/// A scenario whose server ignores the end of its input and SIGTERM and has a child that does, and which
/// then waits for ever.
const STUBBORN: &str = "{ title: 't', proves: 'p', servers: { it: { tools: [],
    rules: [{ when: 'start', do: [{ spawn: { name: 'child', ignore: ['SIGTERM', 'SIGHUP'] } }] },
            { when: 'eof', do: [] }, { when: 'SIGTERM', do: [] }, { when: 'demo/never', do: [{ open: 'never' }] }] } },
    client: [{ connect: { server: 'it' } }, { event: { await: { gate: 'never' } } }] }";

/// A run of the command in a temporary folder of its own, by which its processes are known.
struct Run {
    folder: tempfile::TempDir,
    command: Child,
}

impl Run {
    fn start() -> Run {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        fs::create_dir_all(folder.path().join("scenarios/s")).expect("a folder can be made");
        fs::write(folder.path().join("scenarios/s/one.json5"), STUBBORN)
            .expect("a file can be written");
        let command = Command::new(BINARY)
            .args([
                "run",
                "s/one",
                "--scenarios",
                "scenarios",
                "--artifacts",
                "artifacts",
            ])
            .current_dir(folder.path())
            .env("TMPDIR", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command can be started");
        Run { folder, command }
    }

    /// The fixture servers and their children; the command itself is none of them.
    fn servers(&self) -> Vec<String> {
        find_leaks(self.folder.path())
            .into_iter()
            .filter(|process| process.pid != self.command.id())
            .filter(|process| process.command.contains("fixture-server"))
            .map(|process| process.to_string())
            .collect()
    }

    fn until(&self, what: &str, so: impl Fn(&[String]) -> bool) {
        let begun = Instant::now();
        loop {
            let servers = self.servers();
            if so(&servers) {
                return;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "not {what} after {PATIENCE:?}: {servers:?}"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn end_by(mut self, signal: Signal) -> ExitStatus {
        self.until("started", |servers| servers.len() >= 2);
        let pid = i32::try_from(self.command.id()).expect("a process id is small");
        kill_process(Pid::from_raw(pid).expect("a process id is not 0"), signal).expect("it lives");
        let status = self.command.wait().expect("it can be waited for");
        self.until("ended", <[String]>::is_empty);
        status
    }
}

#[test]
fn a_killed_harness_leaves_no_server() {
    assert_eq!(Run::start().end_by(Signal::KILL).signal(), Some(9));
}

#[test]
fn a_terminated_harness_ends_its_servers_and_says_so_by_its_exit_code() {
    assert_eq!(Run::start().end_by(Signal::TERM).code(), Some(143));
}

#[test]
fn an_interrupted_harness_ends_its_servers_and_says_so_by_its_exit_code() {
    assert_eq!(Run::start().end_by(Signal::INT).code(), Some(130));
}

#[test]
fn a_host_that_panics_leaves_no_server() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let root = folder.path().to_owned();
    let script = r#"{"tools":[],"rules":[{"when":"eof","do":[]},{"when":"SIGTERM","do":[]}]}"#;
    let file = root.join("mcp.json");
    let entry = serde_json::json!({
        "command": BINARY,
        "args": ["fixture-server", "--script-json", script, "--state", root],
    });
    let config = serde_json::json!({ "mcpServers": { "it": entry } });
    fs::write(&file, config.to_string()).expect("a file can be written");

    let host = std::thread::spawn(move || panic_with_a_session(&root, &file));
    host.join().expect_err("it panics");
    let begun = Instant::now();
    loop {
        let left = find_leaks(folder.path());
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "left running: {left:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn panic_with_a_session(root: &Path, file: &Path) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be made");
    let environment: Environment = [("PATH", "/usr/bin:/bin"), ("HOME", "/nowhere")]
        .into_iter()
        .collect();
    runtime.block_on(async {
        let session = Session::builder()
            .layers([Layer::user(file)])
            .home(root.join("home"))
            .base(root)
            .environment(environment)
            .build();
        let _exchange = session.begin_exchange().await.expect("it begins");
        assert_eq!(session.status().len(), 1);
        assert!(!find_leaks(root).is_empty(), "the server runs");
        panic!("the host panics");
    });
}
