//! Fixture servers over HTTP: the sandbox runs them itself, since nothing that is tested starts them. They end with
//! their input, and are killed where they do not.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a server may take to say where it listens.
const START: Duration = Duration::from_secs(20);

/// How long a server may take to end after its input did. One that is killed leaves an end of its journal unwritten,
/// so a busy machine gets its time.
const END: Duration = Duration::from_secs(10);

/// The web servers of a sandbox, by the names of their scripts.
#[derive(Debug, Default)]
pub(super) struct Webs(Mutex<BTreeMap<String, Web>>);

/// A server that was started, and keeps its port when it is started again.
#[derive(Debug)]
struct Web {
    port: u16,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    /// Held: its end is the server's end.
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Webs {
    /// Starts a server, on the port that it had before; `command` starts its script over HTTP.
    pub(super) fn start(&self, name: &str, mut command: Command) -> io::Result<()> {
        let mut webs = self.lock();
        let before = webs.get(name).map_or(0, |web| web.port);
        if webs.get(name).is_some_and(|web| web.running.is_some()) {
            return Err(io::Error::other("it runs already"));
        }
        command.args(["--http", "--port", &before.to_string()]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (input, stdout) = (child.stdin.take(), child.stdout.take());
        let output = lines(stdout.ok_or(io::ErrorKind::BrokenPipe)?);
        let mut running = Running {
            child,
            input,
            output,
        };
        let url = running.output.recv_timeout(START);
        let Some(port) = url.ok().as_deref().and_then(port_of) else {
            running.end();
            return Err(io::Error::other("it does not say where it listens"));
        };
        let running = Some(running);
        webs.insert(name.to_owned(), Web { port, running });
        Ok(())
    }

    /// Ends a server; its port stays its own.
    pub(super) fn stop(&self, name: &str) {
        if let Some(mut running) = self.lock().get_mut(name).and_then(|web| web.running.take()) {
            running.end();
        }
    }

    pub(super) fn stop_all(&self) {
        for web in self.lock().values_mut() {
            if let Some(mut running) = web.running.take() {
                running.end();
            }
        }
    }

    /// The ports by the names of the servers.
    pub(super) fn ports(&self) -> BTreeMap<String, u16> {
        self.lock()
            .iter()
            .map(|(name, web)| (name.clone(), web.port))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Web>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Running {
    fn end(&mut self) {
        drop(self.input.take());
        // The end of its output is the end of the process, unless it closed that before.
        while self.output.recv_timeout(END) != Err(RecvTimeoutError::Disconnected) {
            if self.child.kill().is_err() {
                break;
            }
        }
        // Whatever could not be ended is found by the search for what is left.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first line of an output, and then its end.
fn lines(stdout: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        let mut line = String::new();
        if reader.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            // Nobody hears of a server that was given up.
            let _ = sender.send(line);
        }
        let _ = reader.read_to_end(&mut Vec::new());
    });
    receiver
}

fn port_of(url: &str) -> Option<u16> {
    url.trim()
        .strip_prefix("http://127.0.0.1:")?
        .strip_suffix("/mcp")?
        .parse()
        .ok()
}

/// The command that plays a script of this sandbox.
pub(super) fn command(
    launcher: &Path,
    name: &str,
    cwd: &Path,
    environment: BTreeMap<String, String>,
) -> Command {
    let mut command = Command::new(launcher);
    command
        .arg(name)
        .current_dir(cwd)
        .env_clear()
        .envs(environment);
    command
}

/// The text with the URL of each server in place of `$URL(name)`.
pub(super) fn with_urls(text: &str, ports: &BTreeMap<String, u16>) -> String {
    ports.iter().fold(text.to_owned(), |text, (name, port)| {
        text.replace(&format!("$URL({name})"), &url(*port))
    })
}

pub(super) fn url(port: u16) -> String {
    format!("http://127.0.0.1:{port}/mcp")
}
