//! One life of the watcher's process.

use std::io::{self, PipeWriter, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::registry;
use super::watched::Watched;
use crate::process::exit::{self, THREAD_STACK};

/// Runs on any POSIX shell; see the file for what it does.
const SCRIPT: &str = include_str!("watch.sh");

/// A running watcher; dropping it ends the watcher's input.
#[derive(Debug)]
pub(super) struct Shell {
    pid: Pid,
    input: PipeWriter,
}

impl Shell {
    /// Starts the shell and a thread that reaps it.
    pub(super) fn start(generation: u64) -> io::Result<Self> {
        // Both ends are closed on exec, so no server can keep the watcher's input open.
        let (output, input) = io::pipe()?;
        rustix::io::ioctl_fionbio(&input, true)?;
        let shell = Self {
            pid: Pid::from_child(&command(output).spawn()?),
            input,
        };
        shell.attend(generation)
    }

    fn attend(self, generation: u64) -> io::Result<Self> {
        let pid = self.pid;
        let born = Instant::now();
        let started = thread::Builder::new()
            .name(String::from("mcp-watcher"))
            .stack_size(THREAD_STACK)
            .spawn(move || {
                exit::block(pid);
                // Reaped under the lock, so that `kill` never meets a stranger's id.
                let mut registry = registry::lock();
                reap(pid);
                registry.died(generation, born);
            });
        if let Err(error) = started {
            self.kill();
            reap(pid);
            return Err(error);
        }
        Ok(self)
    }

    #[cfg(test)]
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Whether the watcher took the line: it is not dead, and not stopped with a full pipe.
    pub(super) fn tell(&mut self, word: &str, watched: Watched) -> bool {
        // Short enough for the pipe to take all of it or nothing.
        let line = format!("{word} {watched}\n");
        self.input.write_all(line.as_bytes()).is_ok()
    }

    /// Ends a watcher that must not act any more: its list may be out of date.
    ///
    /// To be called with the registry locked and before the input is closed.
    pub(super) fn kill(self) {
        let _ = kill_process(self.pid, Signal::KILL);
    }
}

/// Takes the status of a watcher that has died or is about to.
fn reap(pid: Pid) {
    while matches!(
        waitpid(Some(pid), WaitOptions::empty()),
        Err(rustix::io::Errno::INTR)
    ) {}
}

/// Its own group keeps the terminal's signals from it; it holds neither the terminal nor a
/// directory.
fn command(input: io::PipeReader) -> Command {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", SCRIPT, "mcp-watcher"])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .current_dir("/")
        .process_group(0)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Read;

    use super::*;

    /// `/bin/sh` is another program on each system.
    #[test]
    fn every_shell_that_is_here_ends_what_it_was_told_of_and_nothing_else() {
        let shells: [&[&str]; 5] = [&["sh"], &["bash"], &["dash"], &["busybox", "sh"], &["mksh"]];
        let sleeper = || {
            Command::new("sleep")
                .arg("1000")
                .process_group(0)
                .spawn()
                .unwrap()
        };
        let mut running = Vec::new();
        for shell in shells {
            let mut command = Command::new(shell[0]);
            command.args(&shell[1..]).args(["-c", SCRIPT]);
            command.stdin(Stdio::piped()).stderr(Stdio::null());
            // Most machines have two or three of them.
            let Ok(mut watcher) = command.spawn() else {
                continue;
            };
            let (wanted, forgotten) = (sleeper(), sleeper());
            let (ended, kept) = (wanted.id(), forgotten.id());
            let lines = format!("add {kept}\nadd p1\nadd {ended}\ndrop {kept}\ndrop p1\ndrop 1\n");
            let mut input = watcher.stdin.take().unwrap();
            input.write_all(lines.as_bytes()).unwrap();
            running.push((shell, watcher, wanted, forgotten));
        }
        let mut outcomes = Vec::new();
        for (shell, mut watcher, mut wanted, mut forgotten) in running {
            watcher.wait().unwrap();
            let [ended, kept] = [&mut wanted, &mut forgotten].map(|sleeper| {
                let ended = sleeper.try_wait().unwrap();
                sleeper.kill().unwrap();
                sleeper.wait().unwrap();
                ended
            });
            outcomes.push((shell, ended.is_some(), kept.is_some()));
        }
        assert!(!outcomes.is_empty());
        for (shell, ended, kept_ended) in outcomes {
            assert!(ended && !kept_ended, "{shell:?}");
        }
    }

    /// A host that dies between a start and its report has told of the start only.
    #[test]
    fn a_start_that_was_never_reported_is_found_by_its_output() {
        let (mut output, input) = io::pipe().unwrap();
        let watched = Watched::start(&output);
        let stubborn = "trap '' HUP TERM; echo up; (while :; do sleep 1; done) & wait";
        let mut server = Command::new("/bin/sh")
            .args(["-c", stubborn])
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(input)
            .spawn()
            .unwrap();
        output.read_exact(&mut [0; 3]).unwrap();
        // No generation of the registry, which therefore does not mind the end of this watcher.
        let mut shell = Shell::start(u64::MAX).unwrap();
        assert!(shell.tell("add", Watched::Start(1)));
        assert!(shell.tell("add", watched));
        drop(shell);
        // The end of the output is the end of the whole group.
        assert_eq!(output.read(&mut [0]).unwrap(), 0);
        assert!(!server.wait().unwrap().success());
    }
}
