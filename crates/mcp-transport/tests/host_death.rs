//! No server outlives its host by more than five seconds, however the host ends.
//!
//! The host is an example program. Every process that it starts inherits the writing end of one
//! pipe, so the end of that pipe is the end of them all.
#![cfg(all(feature = "stdio", target_os = "linux"))]
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// What is promised.
const PROMISE: Duration = Duration::from_secs(5);
/// No step of a test takes this long unless it hangs.
const LIMIT: Duration = Duration::from_secs(30);

/// Ends at the end of its input.
const POLITE: &str = "echo; while read -r line; do :; done";
/// Ends at nothing that can be ignored.
const STUBBORN: &str = "trap '' HUP INT TERM; echo; while :; do sleep 1; done";
/// Stopped, so that it sees no signal but SIGKILL until it is continued.
const STOPPED: &str = "echo; kill -STOP $$; while :; do sleep 1; done";
/// A launcher that waits for its child, and one that is gone before its child.
const LAUNCHER: &str =
    "(trap '' HUP TERM; echo; while :; do sleep 1; done) & trap '' TERM; while :; do wait; done";
const GONE_LAUNCHER: &str = "(trap '' HUP TERM; echo; while :; do sleep 1; done) & exit 0";

const ALL: &[&str] = &[POLITE, STUBBORN, STOPPED, LAUNCHER, GONE_LAUNCHER];

struct Host {
    process: Child,
    /// Ends when nothing that the host started is left.
    alive: ChildStderr,
}

impl Host {
    /// Starts a host and waits until its servers are up.
    fn start(end: &str, servers: &[&str]) -> Self {
        // Descriptor 3 is the pipe that all inherit; neither this shell nor the host keeps its
        // standard error, so that only servers and what belongs to them hold it.
        let mut process = Command::new("/bin/sh")
            .args(["-c", "exec \"$@\" 3>&2 2>/dev/null", "sh"])
            .arg(example("process-host"))
            .arg(end)
            .args(servers)
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let alive = process.stderr.take().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert_eq!(line, "up\n", "the host did not start its servers");
        Self { process, alive }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.process)
    }

    /// Waits for the host's end, then for that of everything it started.
    fn leaves_nothing_within(mut self, limit: Duration) {
        eventually("an end of the host", || self.process.try_wait().unwrap());
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let end = self.alive.read_to_end(&mut Vec::new());
            let _ = sender.send(end);
        });
        let Ok(end) = receiver.recv_timeout(limit) else {
            panic!("a process was left {limit:?} after its host");
        };
        assert_eq!(end.unwrap(), 0);
    }

    /// The id of the watcher, once there is one.
    fn watcher(&self) -> Pid {
        eventually("a watcher of the host", || {
            let children = format!("/proc/{0}/task/{0}/children", self.process.id());
            let children = fs::read_to_string(children).ok()?;
            let mut children = children.split_whitespace();
            children
                .find(|pid| {
                    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                    line.ends_with(b"\0mcp-watcher\0")
                })
                .and_then(|pid| Pid::from_raw(pid.parse().ok()?))
        })
    }
}

/// Cargo builds the examples beside the tests.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    profile.join("examples").join(name)
}

/// For what no event tells.
fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < LIMIT, "there was never {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_host_that_ends_by_itself_leaves_nothing() {
    thread::scope(|scope| {
        for end in ["return", "panic", "exit", "abort"] {
            scope.spawn(move || Host::start(end, ALL).leaves_nothing_within(PROMISE));
        }
    });
}

#[test]
fn a_host_that_is_killed_leaves_nothing() {
    thread::scope(|scope| {
        // Not those that a shell may have told this test, and so its children, to ignore.
        for signal in [Signal::TERM, Signal::KILL, Signal::ALARM] {
            scope.spawn(move || {
                let host = Host::start("wait", ALL);
                kill_process(host.pid(), signal).unwrap();
                host.leaves_nothing_within(PROMISE);
            });
        }
    });
}

#[test]
fn an_interrupt_at_the_terminal_of_the_host_reaches_no_server() {
    // What a terminal does at Ctrl-C: SIGINT to the whole group that is in the foreground.
    let speaks = "trap 'echo interrupted >&3' INT; echo; while read -r line; do :; done";
    let host = Host::start("wait", &[speaks]);
    kill_process_group(host.pid(), Signal::INT).unwrap();
    // Where interrupts are ignored from the start, as in a shell's background, it lives on.
    kill_process(host.pid(), Signal::KILL).unwrap();
    host.leaves_nothing_within(PROMISE);
}

#[test]
fn a_host_that_becomes_another_program_leaves_nothing() {
    let mut host = Host::start("exec", &[STUBBORN]);
    // The descriptor that all inherit is open in the new program as well, so it has to end.
    let watcher = host.watcher();
    eventually("an end of the watcher", || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", watcher.as_raw_nonzero()));
        stat.map_or(Some(()), |stat| stat.contains(") Z ").then_some(()))
    });
    host.process.kill().unwrap();
    host.leaves_nothing_within(PROMISE);
}

#[test]
fn the_watcher_ends_with_what_it_watches() {
    let host = Host::start("wait", &[POLITE]);
    let watcher = host.watcher();
    kill_process(host.pid(), Signal::KILL).unwrap();
    host.leaves_nothing_within(PROMISE);
    let entry = format!("/proc/{}", watcher.as_raw_nonzero());
    eventually("an end of the watcher", || {
        (!Path::new(&entry).exists()).then_some(())
    });
}

#[test]
fn the_watcher_holds_nothing_of_its_host() {
    let host = Host::start("wait", &[POLITE]);
    let watcher = host.watcher().as_raw_nonzero();
    let entry = |name: &str| format!("/proc/{watcher}/{name}");
    let target = |descriptor: u32| {
        let link = fs::read_link(entry(&format!("fd/{descriptor}"))).ok()?;
        Some(link.display().to_string())
    };
    // The shell closes it, as it does the others with one digit, before it waits for input.
    eventually("a watcher that has closed what it inherited", || {
        target(3).is_none().then_some(())
    });
    assert!(target(0).unwrap().starts_with("pipe:"));
    assert_eq!(target(1).unwrap(), "/dev/null");
    assert_eq!(target(2).unwrap(), "/dev/null");
    assert_eq!(fs::read_link(entry("cwd")).unwrap(), Path::new("/"));
    let stat = fs::read_to_string(entry("stat")).unwrap();
    let group = stat.split(' ').nth(4).unwrap();
    assert_eq!(group, watcher.to_string(), "it is in another's group");
    kill_process(host.pid(), Signal::KILL).unwrap();
    host.leaves_nothing_within(PROMISE);
}

#[test]
fn signals_that_end_programs_do_not_end_the_watcher() {
    let host = Host::start("wait", &[STUBBORN, LAUNCHER]);
    let watcher = host.watcher();
    for signal in [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM] {
        kill_process(watcher, signal).unwrap();
    }
    kill_process(host.pid(), Signal::KILL).unwrap();
    host.leaves_nothing_within(PROMISE);
}

#[test]
fn a_watcher_that_was_killed_is_replaced_by_one_that_knows_all() {
    let host = Host::start("wait", ALL);
    for _ in 0..2 {
        let watcher = host.watcher();
        kill_process(watcher, Signal::KILL).unwrap();
        eventually("another watcher", || {
            (host.watcher() != watcher).then_some(())
        });
    }
    kill_process(host.pid(), Signal::KILL).unwrap();
    host.leaves_nothing_within(PROMISE);
}
