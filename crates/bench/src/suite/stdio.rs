//! One server over standard input and output.

use super::metric::{IN_FLIGHT, LARGE, LIST, SEQUENTIAL, metric};
use super::row::{each_client, everyone, row};
use super::{Method, Suite};

pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "sequential",
        about: "10,000 tool calls of 100 bytes over stdio, one after another",
        method: Method::Pinned,
        rows: everyone!("sequential", 10_000),
        metrics: SEQUENTIAL,
    },
    Suite {
        name: "in-flight",
        about: "20,000 tool calls of 100 bytes over stdio, 64 of them at once",
        method: Method::Pinned,
        rows: everyone!("in-flight:64", 20_000),
        metrics: IN_FLIGHT,
    },
    Suite {
        name: "1-mib",
        about: "100 results of 1 MiB of text over stdio",
        method: Method::Pinned,
        rows: everyone!("text:1048576", 100),
        metrics: LARGE,
    },
    Suite {
        name: "10-mib",
        about: "20 results of 10 MiB of text over stdio",
        method: Method::Pinned,
        rows: everyone!("text:10485760", 20),
        metrics: LARGE,
    },
    Suite {
        name: "list",
        about: "one listing of 1,000 tools (3.7 MB) over stdio, kept",
        method: Method::Pinned,
        rows: &[
            row("bare", "list:1000", 1),
            row("ours", "list:1000", 1),
            row("ours-stateless", "list:1000", 1),
            row("rmcp", "list:1000", 1),
            row("typescript", "list:1000", 1),
            row("python", "list:1000", 1),
            row("fastmcp", "list:1000", 1),
        ],
        metrics: LIST,
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
];
