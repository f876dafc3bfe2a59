//! Finding processes that outlived their scenario. A process of a sandbox is known by the sandbox's path,
//! which is in its arguments and environment, whatever group or parent it has by now.

use std::fmt;
use std::path::Path;

/// A process that should be gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// Its id.
    pub pid: u32,
    /// Its command line.
    pub command: String,
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}: {}", self.pid, self.command)
    }
}

impl Leak {
    /// Ends the process by SIGKILL, so that a failed run leaves nothing on the machine.
    pub fn kill(&self) {
        #[cfg(unix)]
        if let Some(pid) = i32::try_from(self.pid)
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            // The process may be gone by now, which is what was wanted.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

/// The living processes, other than this one, that belong to the sandbox in `root`.
#[cfg(target_os = "linux")]
pub fn find_leaks(root: &Path) -> Vec<Leak> {
    let marker = root.as_os_str().as_encoded_bytes();
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let mut leaks: Vec<Leak> = processes
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| *pid != std::process::id())
        .filter_map(|pid| {
            // Both are empty for a process that is gone and only waits to be reaped.
            let read = |name| std::fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
            let arguments = read("cmdline");
            if !contains(&arguments, marker) && !contains(&read("environ"), marker) {
                return None;
            }
            let command = String::from_utf8_lossy(&arguments)
                .replace('\0', " ")
                .trim()
                .to_owned();
            Some(Leak { pid, command })
        })
        .collect();
    leaks.sort_by_key(|leak| leak.pid);
    leaks
}

/// The living processes, other than this one, that belong to the sandbox in `root`: those whose arguments
/// name it, since other systems show no environment.
#[cfg(not(target_os = "linux"))]
pub fn find_leaks(root: &Path) -> Vec<Leak> {
    let Ok(listing) = std::process::Command::new("ps")
        .args(["-A", "-o", "pid=,args="])
        .output()
    else {
        return Vec::new();
    };
    let marker = root.display().to_string();
    String::from_utf8_lossy(&listing.stdout)
        .lines()
        .filter(|line| line.contains(&marker))
        .filter_map(|line| {
            let (pid, command) = line.trim().split_once(' ')?;
            Some(Leak {
                pid: pid.parse().ok()?,
                command: command.trim().to_owned(),
            })
        })
        .filter(|leak| leak.pid != std::process::id())
        .collect()
}

#[cfg(target_os = "linux")]
fn contains(text: &[u8], marker: &[u8]) -> bool {
    text.windows(marker.len()).any(|window| window == marker)
}
