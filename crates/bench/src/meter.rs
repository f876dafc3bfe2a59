//! What an operation cost this process: time passed, processor time, memory.

use std::fs;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::outcome::Outcome;

/// A running measurement.
pub(crate) struct Meter {
    wall: Instant,
    cpu: Duration,
}

/// What passed while a meter ran.
pub(crate) struct Spent {
    pub(crate) wall: Duration,
    /// User and system time of this process alone, not of the servers that it started.
    pub(crate) cpu: Duration,
}

impl Meter {
    pub(crate) fn start() -> Self {
        Self {
            cpu: cpu_time(),
            wall: Instant::now(),
        }
    }

    pub(crate) fn stop(&self) -> Spent {
        Spent {
            wall: self.wall.elapsed(),
            cpu: cpu_time().saturating_sub(self.cpu),
        }
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::from_secs(seconds)
        + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or_default())
}

/// Resident memory of this process, in bytes.
pub(crate) struct Memory {
    pub(crate) now: f64,
    pub(crate) peak: f64,
}

impl Memory {
    pub(crate) fn read() -> Outcome<Self> {
        let status = fs::read_to_string("/proc/self/status")
            .map_err(|error| format!("memory cannot be read from /proc: {error}"))?;
        Ok(Self {
            now: field(&status, "VmRSS:")?,
            peak: field(&status, "VmHWM:")?,
        })
    }
}

fn field(status: &str, name: &str) -> Outcome<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let value = line
        .and_then(|line| line.trim().strip_suffix(" kB"))
        .and_then(|kib| kib.parse::<f64>().ok());
    Ok(value.ok_or_else(|| format!("/proc/self/status has no {name}"))? * 1024.0)
}
