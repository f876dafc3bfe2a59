//! Parts of the runtime that need no server, and what is not a client's matter.

use super::metric::metric;
use super::row::point;
use super::{Method, Suite};

const FORKS: &[&str] = &["group, small host", "fork, small host"];
const DIRECT: &[&str] = &["jsonschema"];

pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "schema",
        about: "a nested schema of thirty properties: compile it, and check arguments from their text",
        method: Method::Pinned,
        rows: &[
            point("jsonschema", "jsonschema", "schema", 20_000, DIRECT),
            point("mcp-schema", "mcp-schema", "schema", 20_000, DIRECT),
        ],
        metrics: &[
            metric("compile_us", "compile µs"),
            metric("valid_us", "valid arguments µs"),
            metric("invalid_us", "invalid arguments, told µs"),
            metric("kb_each", "kB a compiled schema"),
        ],
    },
    Suite {
        name: "spawn",
        about: "starting a process in a host with little and with 512 MiB of resident memory",
        method: Method::Unpinned,
        rows: &[
            point("group, small host", "group", "spawn", 0, FORKS),
            point("group, 512 MiB", "group", "spawn", 512, FORKS),
            point("fork, small host", "std-fork", "spawn", 0, FORKS),
            point("fork, 512 MiB", "std-fork", "spawn", 512, FORKS),
        ],
        metrics: &[
            metric("cpu_us", "host CPU µs/process"),
            metric("spawn_us", "spawn µs"),
            metric("ended_us", "spawn to reaped µs"),
        ],
    },
    Suite {
        name: "scenarios",
        about: "the whole of `mcp-harness run`: every scenario with its real processes",
        method: Method::Unpinned,
        rows: &[point("mcp-harness run", "harness", "scenarios", 1, &[])],
        metrics: &[metric("wall_s", "wall s"), metric("scenarios", "scenarios")],
    },
];
