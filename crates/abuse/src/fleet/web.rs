//! A fixture server over HTTP: it is nobody's child but the run's, and is there again on the same port
//! whenever it crashed.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::Signal;

use super::Folder;
use crate::outcome::Outcome;
use crate::procfs::signal_process;

/// How long a server may take to say where it listens.
const START: Duration = Duration::from_secs(20);
/// Between two starts, so that one that cannot start does not keep a processor busy.
const PAUSE: Duration = Duration::from_millis(20);

/// A running server; dropping it ends it.
pub(crate) struct Web {
    url: String,
    shared: Arc<Mutex<Shared>>,
    keeper: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    stopping: bool,
    pid: Option<u32>,
}

impl Web {
    /// Starts a server whose script was laid, and waits until it listens.
    pub(crate) fn start(folder: &Folder, server: &str) -> Outcome<Web> {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let keeper = Keeper {
            program: std::env::current_exe()?,
            arguments: folder.arguments(server),
            shared: Arc::clone(&shared),
        };
        let (sender, receiver) = channel();
        let keeper = thread::spawn(move || keeper.keep(&sender));
        let mut web = Web {
            url: String::new(),
            shared,
            keeper: Some(keeper),
        };
        web.url = receiver
            .recv_timeout(START)
            .map_err(|_| format!("server {server} does not say where it listens"))?;
        Ok(web)
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The process of the moment, if there is one.
    pub(crate) fn pid(&self) -> Option<u32> {
        lock(&self.shared).pid
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        shared.stopping = true;
        if let Some(pid) = shared.pid {
            signal_process(pid, Signal::KILL);
        }
        drop(shared);
        if let Some(keeper) = self.keeper.take() {
            // It only waits for the process that was just killed.
            let _ = keeper.join();
        }
    }
}

struct Keeper {
    program: std::path::PathBuf,
    arguments: Vec<String>,
    shared: Arc<Mutex<Shared>>,
}

impl Keeper {
    /// Starts the server again and again, on the port that it got the first time.
    fn keep(&self, told: &Sender<String>) {
        let mut port = "0".to_owned();
        while let Some(mut child) = self.spawn(&port) {
            // Held until the server ends: the end of its input would be its end.
            let input = child.stdin.take();
            let mut url = String::new();
            if let Some(output) = child.stdout.take() {
                // Without a line the server is gone, which its exit says too.
                let _ = BufReader::new(output).read_line(&mut url);
            }
            if let Some(found) = port_of(&url) {
                found.clone_into(&mut port);
                // Only the first URL is waited for; the others are the same.
                let _ = told.send(url.trim().to_owned());
            }
            // Whether it crashed or was killed is its script's affair.
            let _ = child.wait();
            lock(&self.shared).pid = None;
            drop(input);
            thread::sleep(PAUSE);
        }
    }

    /// Nothing once the server is to end.
    fn spawn(&self, port: &str) -> Option<Child> {
        let mut shared = lock(&self.shared);
        if shared.stopping {
            return None;
        }
        let child = Command::new(&self.program)
            .args(&self.arguments)
            .args(["--http", "--port", port])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        shared.pid = Some(child.id());
        Some(child)
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn port_of(url: &str) -> Option<&str> {
    url.trim()
        .strip_prefix("http://127.0.0.1:")?
        .strip_suffix("/mcp")
}
