//! The figures that are read off a row: first what holds on a busy machine too.

/// A figure of a row.
pub(crate) struct Metric {
    pub(crate) key: &'static str,
    pub(crate) label: &'static str,
}

pub(super) const fn metric(key: &'static str, label: &'static str) -> Metric {
    Metric { key, label }
}

pub(super) const SEQUENTIAL: &[Metric] = &[
    metric("cpu_us", "client CPU µs/call"),
    metric("both_us", "client and server CPU µs/call"),
    metric("per_second", "calls/s"),
    metric("p50_us", "p50 µs"),
    metric("p99_us", "p99 µs"),
];

pub(super) const IN_FLIGHT: &[Metric] = &[
    metric("cpu_us", "client CPU µs/call"),
    metric("both_us", "client and server CPU µs/call"),
    metric("per_second", "calls/s"),
];

pub(super) const LARGE: &[Metric] = &[
    metric("cpu_ms", "client CPU ms/call"),
    metric("both_ms", "client and server CPU ms/call"),
    metric("mb_per_second", "MB/s"),
    metric("peak_mb", "peak MB"),
];

pub(super) const LIST: &[Metric] = &[
    metric("cpu_ms", "client CPU ms"),
    metric("wall_ms", "wall ms"),
    metric("rss_mb", "resident MB"),
    metric("peak_mb", "peak MB"),
    metric(
        "grown_mb",
        "MB by which the peak is above the process before",
    ),
];

pub(super) const CONNECT: &[Metric] = &[
    metric("cpu_ms", "client CPU ms"),
    metric("wall_ms", "wall ms"),
    metric("rss_mb", "resident MB"),
];

pub(super) const COUNTED: &[Metric] = &[
    metric("instructions", "instructions"),
    metric("allocations", "allocations"),
];
