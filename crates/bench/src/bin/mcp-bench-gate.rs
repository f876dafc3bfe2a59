//! The command that fails where a call costs more than it did. It is a program of its own, since the
//! counting allocator would cost those clients most that allocate most.

use std::alloc::System;
use std::process::ExitCode;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    mcp_bench::gate(|| {
        let stats = ALLOCATOR.stats();
        stats.allocations + stats.reallocations
    })
}
