//! The machine: what it is, for the report, and the one core to which a measurement is pinned.

use std::fs;

use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

/// What a reader must know of the machine to judge a figure.
#[derive(Serialize, Deserialize)]
pub(crate) struct Machine {
    processor: String,
    cores: usize,
    system: String,
}

impl Machine {
    pub(crate) fn read() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpuinfo
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split(':').nth(1));
        let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Self {
            processor: model.map_or_else(|| "unknown".to_owned(), |model| model.trim().to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, release.trim()),
        }
    }

    pub(crate) fn describe(&self) -> String {
        let Self {
            processor,
            cores,
            system,
        } = self;
        format!("{processor}, {cores} cores, {system}")
    }
}

/// The load average of the last minute: how busy the machine is.
pub(crate) fn load() -> Option<f64> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split(' ').next()?.parse().ok()
}

/// Keeps this process, and the servers that it will start, on one core: a round trip between cores
/// costs twenty times as much and says nothing of the client.
#[cfg(target_os = "linux")]
pub(crate) fn pin(core: usize) -> Outcome<()> {
    let mut cores = rustix::thread::CpuSet::new();
    if core >= rustix::thread::CpuSet::MAX_CPU {
        return Err(format!("there is no core {core}").into());
    }
    cores.set(core);
    rustix::thread::sched_setaffinity(None, &cores)
        .map_err(|error| format!("cannot run on core {core} alone: {error}").into())
}

/// Elsewhere the figures are of a process that moves between cores.
#[cfg(not(target_os = "linux"))]
pub(crate) fn pin(_core: usize) -> Outcome<()> {
    Ok(())
}
