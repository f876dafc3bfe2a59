//! What this process has used, as Linux and the allocator tell it.

use std::alloc::System;
use std::time::Duration;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Kilobytes that are allocated now.
pub(crate) fn allocated() -> f64 {
    let stats = ALLOCATOR.stats();
    let live = stats.bytes_allocated - stats.bytes_deallocated;
    f64::from(u32::try_from(live).unwrap()) / 1024.0
}

/// CPU time of all threads of this process.
pub(crate) fn cpu() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").unwrap();
    let nanos = threads.map(|thread| {
        let stat =
            std::fs::read_to_string(thread.unwrap().path().join("schedstat")).unwrap_or_default();
        stat.split(' ')
            .next()
            .and_then(|nanos| nanos.parse::<u64>().ok())
            .unwrap_or(0)
    });
    Duration::from_nanos(nanos.sum())
}

/// Resident memory in kilobytes.
pub(crate) fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
