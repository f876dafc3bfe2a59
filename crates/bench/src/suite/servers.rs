//! Many servers at once, ten small tools each.

use super::metric::{CONNECT, metric};
use super::row::{everyone, point, row};
use super::{Method, Suite};

pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "connect-1",
        about: "start one stdio server, connect, list its tools",
        method: Method::Unpinned,
        rows: everyone!("connect", 1),
        metrics: CONNECT,
    },
    Suite {
        name: "connect-32",
        about: "the same with 32 servers at once",
        method: Method::Unpinned,
        rows: everyone!("connect", 32),
        metrics: CONNECT,
    },
    Suite {
        name: "connect-100",
        about: "the same with 100 servers at once",
        method: Method::Unpinned,
        rows: everyone!("connect", 100),
        metrics: CONNECT,
    },
    Suite {
        name: "connect-300",
        about: "the same with 300 servers at once",
        method: Method::Unpinned,
        rows: everyone!("connect", 300),
        metrics: CONNECT,
    },
    Suite {
        name: "idle",
        about: "memory of each of 100 further idle stdio connections, ten small tools kept",
        method: Method::Pinned,
        rows: &[
            row("bare", "idle", 100),
            row("ours", "idle", 100),
            row("ours-stateless", "idle", 100),
            row("session", "idle", 100),
            row("rmcp", "idle", 100),
        ],
        metrics: &[
            metric("kb_each", "kB each"),
            metric("rss_mb", "resident MB of all"),
        ],
    },
    Suite {
        name: "begin",
        about: "the beginning of an exchange when nothing has changed, ten tools a server",
        method: Method::Pinned,
        rows: &[
            point("1 server", "session", "begin", 1, &["100 servers"]),
            point("10 servers", "session", "begin", 10, &["100 servers"]),
            point("100 servers", "session", "begin", 100, &["100 servers"]),
        ],
        metrics: &[metric("cpu_us", "CPU µs")],
    },
];
