//! Instructions and allocations, which do not depend on how busy the machine is.

use super::metric::COUNTED;
use super::row::{each_client, each_http_client, http_row, row};
use super::{Method, Suite};

const CALLS: Method = Method::Callgrind {
    short: 500,
    each: 1,
};

pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "instructions",
        about: "what one sequential call of 100 bytes costs the client, by callgrind",
        method: CALLS,
        rows: &[
            row("bare", "counted", 2_500),
            row("ours", "counted", 2_500),
            row("ours-stateless", "counted", 2_500),
            row("session", "counted", 2_500),
            row("rmcp", "counted", 2_500),
        ],
        metrics: COUNTED,
    },
    Suite {
        name: "instructions-list",
        about: "what each of 1,000 listed tools costs the client, by callgrind",
        method: Method::Callgrind {
            short: 1,
            each: 1_000,
        },
        rows: each_client!("list:1000", 3),
        metrics: COUNTED,
    },
    Suite {
        name: "instructions-http",
        about: "what one sequential call of 100 bytes over HTTP costs the client, by callgrind",
        method: CALLS,
        rows: each_http_client!("counted", 2_500),
        metrics: COUNTED,
    },
    Suite {
        name: "instructions-http-sse",
        about: "the same, answered by an event",
        method: CALLS,
        rows: each_http_client!("counted-sse", 2_500),
        metrics: COUNTED,
    },
];
