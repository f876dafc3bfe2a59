//! What is compared with what: the suites, as data.

/// One comparison: rows that are measured in turn, and what is read off each.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) method: Method,
    pub(crate) rows: &'static [Row],
    pub(crate) metrics: &'static [Metric],
}

/// How a row's figures are had.
#[derive(Clone, Copy)]
pub(crate) enum Method {
    /// By a process of its own that measures itself, on one core.
    Pinned,
    /// The same, on any core: what is measured does not run on one.
    Unpinned,
    /// By callgrind, as the difference between two runs of different lengths.
    Callgrind {
        /// How often the shorter run does what is counted.
        short: usize,
        /// How many things each time does: 1 for a call, the number of tools for a listing.
        each: u32,
    },
}

/// One measured subject.
pub(crate) struct Row {
    pub(crate) label: &'static str,
    pub(crate) subject: &'static str,
    pub(crate) workload: &'static str,
    pub(crate) count: usize,
}

/// A figure of a row.
pub(crate) struct Metric {
    pub(crate) key: &'static str,
    pub(crate) label: &'static str,
}

const fn row(label: &'static str, workload: &'static str, count: usize) -> Row {
    Row {
        label,
        subject: label,
        workload,
        count,
    }
}

const fn http_row(
    label: &'static str,
    subject: &'static str,
    workload: &'static str,
    count: usize,
) -> Row {
    Row {
        label,
        subject,
        workload,
        count,
    }
}

const fn metric(key: &'static str, label: &'static str) -> Metric {
    Metric { key, label }
}

/// The same workload by each client.
macro_rules! each_client {
    ($workload:literal, $count:expr) => {
        &[
            row("bare", $workload, $count),
            row("ours", $workload, $count),
            row("ours-stateless", $workload, $count),
            row("rmcp", $workload, $count),
        ]
    };
}

/// The same workload by each client over HTTP.
macro_rules! each_http_client {
    ($workload:literal, $count:expr) => {
        &[
            http_row("hyper", "http-hyper", $workload, $count),
            http_row("reqwest", "http-reqwest", $workload, $count),
            http_row("ours", "http-ours", $workload, $count),
            http_row("ours-stateless", "http-ours-stateless", $workload, $count),
            http_row("rmcp", "http-rmcp", $workload, $count),
            http_row("rmcp-pooled", "http-rmcp-pooled", $workload, $count),
        ]
    };
}

/// Every suite, in the order in which they run.
pub(crate) const SUITES: &[Suite] = &[
    Suite {
        name: "sequential",
        about: "10,000 tool calls of 100 bytes over stdio, one after another",
        method: Method::Pinned,
        rows: each_client!("sequential", 10_000),
        metrics: SEQUENTIAL,
    },
    Suite {
        name: "in-flight",
        about: "20,000 tool calls of 100 bytes over stdio, 64 of them at once",
        method: Method::Pinned,
        rows: each_client!("in-flight", 20_000),
        metrics: IN_FLIGHT,
    },
    Suite {
        name: "1-mib",
        about: "100 results of 1 MiB of text over stdio",
        method: Method::Pinned,
        rows: each_client!("1-mib", 100),
        metrics: LARGE,
    },
    Suite {
        name: "10-mib",
        about: "20 results of 10 MiB of text over stdio",
        method: Method::Pinned,
        rows: each_client!("10-mib", 20),
        metrics: LARGE,
    },
    Suite {
        name: "http-sequential",
        about: "10,000 tool calls of 100 bytes over HTTP, answered by JSON, one after another",
        method: Method::Pinned,
        rows: each_http_client!("sequential", 10_000),
        metrics: SEQUENTIAL,
    },
    Suite {
        name: "http-sequential-sse",
        about: "the same, answered by an event each",
        method: Method::Pinned,
        rows: each_http_client!("sequential-sse", 10_000),
        metrics: SEQUENTIAL,
    },
    Suite {
        name: "http-in-flight",
        about: "20,000 tool calls of 100 bytes over HTTP, 64 of them at once",
        method: Method::Pinned,
        rows: each_http_client!("in-flight", 20_000),
        metrics: IN_FLIGHT,
    },
    Suite {
        name: "http-1-mib-json",
        about: "100 results of 1 MiB of text over HTTP, as JSON",
        method: Method::Pinned,
        rows: each_http_client!("1-mib", 100),
        metrics: LARGE,
    },
    Suite {
        name: "http-1-mib-sse",
        about: "the same, an event each",
        method: Method::Pinned,
        rows: each_http_client!("1-mib-sse", 100),
        metrics: LARGE,
    },
    Suite {
        name: "list",
        about: "one listing of 1,000 tools (3.7 MB) over stdio, kept",
        method: Method::Pinned,
        rows: each_client!("list", 1),
        metrics: &[
            metric("cpu_ms", "client CPU ms"),
            metric("wall_ms", "wall ms"),
            metric("rss_mb", "resident MB"),
            metric("peak_mb", "peak MB"),
            metric(
                "grown_mb",
                "MB by which the peak is above the process before",
            ),
        ],
    },
    Suite {
        name: "idle",
        about: "memory of each of 100 further idle stdio connections, ten small tools kept",
        method: Method::Pinned,
        rows: each_client!("idle", 100),
        metrics: &[
            metric("kb_each", "kB each"),
            metric("rss_mb", "resident MB of all"),
        ],
    },
    Suite {
        name: "dropped",
        about: "time until a running call fails when its server exits (20 servers)",
        method: Method::Pinned,
        rows: each_client!("dropped", 20),
        metrics: &[
            metric("failure_ms", "median ms"),
            metric("slowest_ms", "slowest ms"),
        ],
    },
    Suite {
        name: "spawn",
        about: "starting a process in a host with little and with 512 MiB of resident memory",
        method: Method::Unpinned,
        rows: &[
            Row {
                label: "group, small host",
                subject: "group",
                workload: "spawn",
                count: 0,
            },
            Row {
                label: "group, 512 MiB",
                subject: "group",
                workload: "spawn",
                count: 512,
            },
            Row {
                label: "fork, small host",
                subject: "std-fork",
                workload: "spawn",
                count: 0,
            },
            Row {
                label: "fork, 512 MiB",
                subject: "std-fork",
                workload: "spawn",
                count: 512,
            },
        ],
        metrics: &[
            metric("cpu_us", "host CPU µs/process"),
            metric("spawn_us", "spawn µs"),
            metric("ended_us", "spawn to reaped µs"),
        ],
    },
    Suite {
        name: "instructions",
        about: "what one sequential call of 100 bytes costs the client, by callgrind",
        method: Method::Callgrind {
            short: 500,
            each: 1,
        },
        rows: each_client!("counted", 2_500),
        metrics: COUNTED,
    },
    Suite {
        name: "instructions-list",
        about: "what each of 1,000 listed tools costs the client, by callgrind",
        method: Method::Callgrind {
            short: 1,
            each: 1_000,
        },
        rows: each_client!("list", 3),
        metrics: COUNTED,
    },
    Suite {
        name: "instructions-http",
        about: "what one sequential call of 100 bytes over HTTP costs the client, by callgrind",
        method: Method::Callgrind {
            short: 500,
            each: 1,
        },
        rows: each_http_client!("counted", 2_500),
        metrics: COUNTED,
    },
];

const SEQUENTIAL: &[Metric] = &[
    metric("per_second", "calls/s"),
    metric("both_us", "client and server CPU µs/call"),
    metric("p50_us", "p50 µs"),
    metric("p99_us", "p99 µs"),
    metric("cpu_us", "client CPU µs/call"),
];

const IN_FLIGHT: &[Metric] = &[
    metric("per_second", "calls/s"),
    metric("both_us", "client and server CPU µs/call"),
    metric("cpu_us", "client CPU µs/call"),
];

const LARGE: &[Metric] = &[
    metric("mb_per_second", "MB/s"),
    metric("both_ms", "client and server CPU ms/call"),
    metric("cpu_ms", "client CPU ms/call"),
    metric("peak_mb", "peak MB"),
];

const COUNTED: &[Metric] = &[
    metric("instructions", "instructions"),
    metric("allocations", "allocations"),
];

/// The rows against which the others are set, where a suite has them.
pub(crate) const REFERENCES: [&str; 6] = [
    "bare",
    "hyper",
    "reqwest",
    "rmcp",
    "group, small host",
    "fork, small host",
];
