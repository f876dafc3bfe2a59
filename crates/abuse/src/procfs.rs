//! What the system says of this process and of others. Linux alone tells it in this way.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::outcome::Outcome;

/// Resident memory of this process, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    pub(crate) now: u64,
    /// The most since the process began or [`reset_peak`] was called.
    pub(crate) peak: u64,
}

impl Memory {
    pub(crate) fn read() -> Outcome<Memory> {
        let status = status()?;
        Ok(Memory {
            now: field(&status, "VmRSS:")? * 1024,
            peak: field(&status, "VmHWM:")? * 1024,
        })
    }
}

/// The peak of the memory begins anew (proc(5), `clear_refs`).
pub(crate) fn reset_peak() -> Outcome<()> {
    fs::write("/proc/self/clear_refs", "5")
        .map_err(|error| format!("the peak of memory cannot be reset: {error}").into())
}

/// Threads of this process.
pub(crate) fn threads() -> Outcome<u64> {
    field(&status()?, "Threads:")
}

/// Open descriptors of this process.
pub(crate) fn descriptors() -> Outcome<u64> {
    let entries =
        fs::read_dir("/proc/self/fd").map_err(|error| format!("/proc/self/fd: {error}"))?;
    // The one that reads the folder is no part of the answer.
    Ok((entries.count() as u64).saturating_sub(1))
}

/// The processes that this one started and has not reaped.
pub(crate) fn children() -> Vec<Process> {
    let Ok(threads) = fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let lists = threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(Process::read)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The living processes, other than this one, whose arguments name something in the folder.
pub(crate) fn processes_of(folder: &Path) -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let marker = folder.display().to_string();
    entries
        .flatten()
        .filter_map(|entry| Process::read(entry.file_name().to_str()?))
        .filter(|process| process.pid != std::process::id() && process.command.contains(&marker))
        .collect()
}

/// A process, by its id and command line. One that is dead and not reaped has no command line.
#[derive(Debug, Clone)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    pub(crate) command: String,
}

impl Process {
    fn read(pid: &str) -> Option<Process> {
        let command = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        Some(Process {
            pid: pid.parse().ok()?,
            command: String::from_utf8_lossy(&command).replace('\0', " "),
        })
    }

    /// Sends it a signal, if it is still there.
    pub(crate) fn signal(&self, signal: Signal) {
        signal_process(self.pid, signal);
    }
}

/// Sends a process a signal, if it is still there.
pub(crate) fn signal_process(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // It may be gone by now, which is what is wanted of most signals.
        let _ = kill_process(pid, signal);
    }
}

/// Waits until nothing is left of something of which nobody tells. Gives how long it took, or what is
/// still left in the end.
pub(crate) fn until_gone<T>(
    limit: Duration,
    left: impl Fn() -> Vec<T>,
) -> Result<Duration, Vec<T>> {
    let start = Instant::now();
    loop {
        let left = left();
        if left.is_empty() {
            return Ok(start.elapsed());
        }
        if start.elapsed() > limit {
            return Err(left);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn status() -> Outcome<String> {
    fs::read_to_string("/proc/self/status")
        .map_err(|error| format!("/proc/self/status: {error}; this command needs Linux").into())
}

fn field(status: &str, name: &str) -> Outcome<u64> {
    let value = status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .and_then(|value| value.trim().trim_end_matches(" kB").parse().ok());
    Ok(value.ok_or_else(|| format!("/proc/self/status has no {name}"))?)
}
