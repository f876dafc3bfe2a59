//! One server over Streamable HTTP.

use super::metric::{IN_FLIGHT, LARGE, SEQUENTIAL};
use super::row::{each_http_client, everyone_over_http, http_row};
use super::{Method, Suite};

pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "http-sequential",
        about: "10,000 tool calls of 100 bytes over HTTP, answered by JSON, one after another",
        method: Method::Pinned,
        rows: everyone_over_http!("sequential", 10_000),
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
        rows: each_http_client!("in-flight:64", 20_000),
        metrics: IN_FLIGHT,
    },
    Suite {
        name: "http-1-mib-json",
        about: "100 results of 1 MiB of text over HTTP, as JSON",
        method: Method::Pinned,
        rows: each_http_client!("text:1048576", 100),
        metrics: LARGE,
    },
    Suite {
        name: "http-1-mib-sse",
        about: "the same, an event each",
        method: Method::Pinned,
        rows: each_http_client!("text-sse:1048576", 100),
        metrics: LARGE,
    },
];
