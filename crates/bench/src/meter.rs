//! What an operation cost this process: time passed, processor time, memory.

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::outcome::Outcome;

/// Says how often this process has taken memory from the heap.
static COUNTER: OnceLock<fn() -> usize> = OnceLock::new();

/// From now on every measurement counts allocations too.
pub(crate) fn count_allocations(counter: fn() -> usize) {
    // A command begins once.
    let _ = COUNTER.set(counter);
}

/// A running measurement.
pub(crate) struct Meter {
    wall: Instant,
    cpu: Duration,
    servers: Option<Duration>,
    allocations: Option<usize>,
}

/// What passed while a meter ran.
pub(crate) struct Spent {
    pub(crate) wall: Duration,
    /// User and system time of this process alone, not of the servers that it started.
    pub(crate) cpu: Duration,
    /// The time of those servers, where the system tells it.
    servers: Option<Duration>,
    /// How often memory was taken from the heap, where that is counted.
    pub(crate) allocations: Option<usize>,
}

impl Spent {
    /// The time of client and servers together, which is how long a core of their own would take.
    pub(crate) fn both(&self) -> Option<Duration> {
        self.servers.map(|servers| self.cpu + servers)
    }
}

impl Meter {
    pub(crate) fn start() -> Self {
        Self {
            servers: children_time(),
            allocations: COUNTER.get().map(|counter| counter()),
            cpu: cpu_time(),
            wall: Instant::now(),
        }
    }

    pub(crate) fn stop(&self) -> Spent {
        let (wall, cpu) = (self.wall.elapsed(), cpu_time());
        let allocations = COUNTER.get().map(|counter| counter());
        let servers = children_time().zip(self.servers);
        Spent {
            wall,
            cpu: cpu.saturating_sub(self.cpu),
            servers: servers.map(|(after, before)| after.saturating_sub(before)),
            allocations: allocations
                .zip(self.allocations)
                .map(|(after, before)| after.saturating_sub(before)),
        }
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::from_secs(seconds)
        + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or_default())
}

/// Processor time of the living children of this process. They wait for input when it is asked, so
/// that the scheduler has counted all of it.
fn children_time() -> Option<Duration> {
    let mut total = Duration::ZERO;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let children = fs::read_to_string(thread.ok()?.path().join("children")).ok()?;
        for child in children.split_whitespace() {
            let times = fs::read_to_string(format!("/proc/{child}/schedstat")).ok()?;
            total += Duration::from_nanos(times.split(' ').next()?.parse().ok()?);
        }
    }
    Some(total)
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
