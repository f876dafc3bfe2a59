//! What an exposed name costs, with few and with many of them in the table.

use std::time::Duration;

use mcp_naming::NameTable;

use super::{Figures, figure};
use crate::meter::Meter;

/// At least so many names are given, in as many tables as it takes.
const NAMES: usize = 100_000;

/// Gives that many names in one batch, and then the same again.
pub(super) fn names(count: usize) -> Figures {
    let pairs = pairs(count);
    let batch = || pairs.iter().map(|(server, tool)| (&**server, &**tool));
    let tables = NAMES.div_ceil(count);
    let (mut new, mut known) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..tables {
        let mut table = NameTable::new();
        for spent in [&mut new, &mut known] {
            let meter = Meter::start();
            table.assign(batch());
            *spent += meter.stop().cpu;
        }
    }
    let each = |spent: Duration| spent.as_secs_f64() * 1e9 / figure(count * tables);
    Figures::from([("new_ns_each", each(new)), ("known_ns_each", each(known))])
}

/// Pairs as they occur: many servers, most names clean, some to be changed, some too long.
fn pairs(count: usize) -> Vec<(String, String)> {
    let pair = |index: usize| {
        let tool = match index % 20 {
            0 => format!("read.file {index}"),
            1 => format!("{}_{index}", "a_very_long_tool_name".repeat(4)),
            _ => format!("tool_{index}"),
        };
        (format!("server_{}", index % 1_000), tool)
    };
    (0..count).map(pair).collect()
}
