//! What grows with size and number, each figure per unit: where growth is linear, it stays.

use super::metric::metric;
use super::row::point;
use super::{Method, Suite};

const THOUSAND_TOOLS: &[&str] = &["1,000 tools"];
const SIXTY_FOUR: &[&str] = &["64 at once"];
const THOUSAND_NAMES: &[&str] = &["1,000 names"];

pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "growth-tools",
        about: "listings of ours, 1.3 kB a tool, in pages of at most 1,000 tools",
        method: Method::Pinned,
        rows: &[
            point("10 tools", "ours", "short-list:10", 100, THOUSAND_TOOLS),
            point("100 tools", "ours", "short-list:100", 30, THOUSAND_TOOLS),
            point("1,000 tools", "ours", "short-list:1000", 10, THOUSAND_TOOLS),
            point(
                "10,000 tools",
                "ours",
                "short-list:10000",
                3,
                THOUSAND_TOOLS,
            ),
        ],
        metrics: &[
            metric("cpu_us_each", "client CPU µs/tool"),
            metric("kept_kb_each", "resident kB/tool"),
        ],
    },
    Suite {
        name: "growth-in-flight",
        about: "20,000 tool calls of 100 bytes over stdio by ours, so many at once",
        method: Method::Pinned,
        rows: &[
            point("1 at once", "ours", "in-flight:1", 20_000, SIXTY_FOUR),
            point("8 at once", "ours", "in-flight:8", 20_000, SIXTY_FOUR),
            point("64 at once", "ours", "in-flight:64", 20_000, SIXTY_FOUR),
            point("256 at once", "ours", "in-flight:256", 20_000, SIXTY_FOUR),
            point(
                "1,000 at once",
                "ours",
                "in-flight:1000",
                20_000,
                SIXTY_FOUR,
            ),
        ],
        metrics: &[
            metric("cpu_us", "client CPU µs/call"),
            metric("per_second", "calls/s"),
        ],
    },
    Suite {
        name: "growth-size",
        about: "results of growing size over stdio, by ours and by the bare loop",
        method: Method::Pinned,
        rows: &[
            point("1 KiB, bare", "bare", "text:1024", 10_000, &[]),
            point("1 KiB, ours", "ours", "text:1024", 10_000, &["1 KiB, bare"]),
            point("10 KiB, bare", "bare", "text:10240", 5_000, &[]),
            point(
                "10 KiB, ours",
                "ours",
                "text:10240",
                5_000,
                &["10 KiB, bare"],
            ),
            point("100 KiB, bare", "bare", "text:102400", 1_000, &[]),
            point(
                "100 KiB, ours",
                "ours",
                "text:102400",
                1_000,
                &["100 KiB, bare"],
            ),
            point("1 MiB, bare", "bare", "text:1048576", 100, &[]),
            point("1 MiB, ours", "ours", "text:1048576", 100, &["1 MiB, bare"]),
            point("10 MiB, bare", "bare", "text:10485760", 20, &[]),
            point(
                "10 MiB, ours",
                "ours",
                "text:10485760",
                20,
                &["10 MiB, bare"],
            ),
        ],
        metrics: &[
            metric("cpu_us_per_kib", "client CPU µs/KiB"),
            metric("mb_per_second", "MB/s"),
        ],
    },
    Suite {
        name: "growth-names",
        about: "exposed names given in one batch, and the same pairs asked again",
        method: Method::Pinned,
        rows: &[
            point("1,000 names", "naming", "names", 1_000, THOUSAND_NAMES),
            point("10,000 names", "naming", "names", 10_000, THOUSAND_NAMES),
            point("100,000 names", "naming", "names", 100_000, THOUSAND_NAMES),
            point(
                "1,000,000 names",
                "naming",
                "names",
                1_000_000,
                THOUSAND_NAMES,
            ),
        ],
        metrics: &[
            metric("new_ns_each", "ns/new name"),
            metric("known_ns_each", "ns/known name"),
        ],
    },
];
