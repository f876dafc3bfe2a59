//! What the process tests share: short ways to write a spec, files with a mode, and waits on events.
#![expect(dead_code, reason = "each test file uses its own part")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot be set up fails by panicking"
)]

use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use mcp_transport::process::{Pipes, ProcessGroup, ProcessSpec};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;

/// No step of a test takes this long unless it hangs.
pub(crate) const LIMIT: Duration = Duration::from_secs(30);

/// A shell script as the command, with the usual `PATH`.
pub(crate) fn shell(script: &str) -> ProcessSpec {
    ProcessSpec::new("/bin/sh", "/")
        .args(["-c", script])
        .env([("PATH", "/usr/bin:/bin")])
}

pub(crate) fn spawn(script: &str) -> (ProcessGroup, Pipes) {
    ProcessGroup::spawn(&shell(script)).unwrap()
}

/// Waits for something that must happen, and says what did not.
pub(crate) async fn within<F: Future>(what: &str, future: F) -> F::Output {
    let Ok(output) = tokio::time::timeout(LIMIT, future).await else {
        panic!("{what} did not happen within {LIMIT:?}");
    };
    output
}

/// The next line of a process.
pub(crate) async fn line(stdout: &mut pipe::Receiver) -> String {
    let mut line = Vec::new();
    within("a line of output", async {
        loop {
            match stdout.read_u8().await.unwrap() {
                b'\n' => break,
                byte => line.push(byte),
            }
        }
    })
    .await;
    String::from_utf8(line).unwrap()
}

/// What is left to read; the end means that no process holds the other end any more.
pub(crate) async fn rest(pipe: &mut pipe::Receiver) -> String {
    let mut text = String::new();
    within("the end of output", pipe.read_to_string(&mut text))
        .await
        .unwrap();
    text
}

/// Writes a file through a process of its own: a descriptor that is open for writing here could be
/// copied into a child of another test at the wrong moment, and the file could then not be run.
pub(crate) fn file(path: &Path, text: &str, mode: &str) -> PathBuf {
    let mut writer = Command::new("/bin/sh")
        .args([
            "-c",
            "mkdir -p \"${1%/*}\" && cat > \"$1\" && chmod \"$2\" \"$1\"",
            "sh",
        ])
        .arg(path)
        .arg(mode)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut writer.stdin.take().unwrap(), text.as_bytes()).unwrap();
    assert!(writer.wait().unwrap().success());
    path.to_owned()
}

/// Whether any process, dead or alive, still has this id.
pub(crate) fn is_taken(pid: u32) -> bool {
    Path::new("/proc").join(pid.to_string()).exists()
}

/// Waits until an id is free: the process is dead and reaped. No event tells the one who reaps.
pub(crate) fn gone(pid: u32) {
    let start = std::time::Instant::now();
    while is_taken(pid) {
        assert!(start.elapsed() < LIMIT, "process {pid} is still there");
        std::thread::sleep(Duration::from_millis(1));
    }
}
