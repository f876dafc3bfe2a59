//! Statuses as lines for a terminal. What a server wrote cannot move the cursor.

use std::fmt::Write as _;
use std::time::Duration;

use mcp_config::escape_terminal;

use super::server_status::ServerStatus;
use crate::server::ServerState;

/// One line for each server, and below it what went wrong.
///
/// ```text
/// files    ready          12 tools, 2025-11-25, for 3 min
/// search   failed         for 10 s
///          the command "searchd" was not found in PATH
/// ```
pub fn render(statuses: &[ServerStatus]) -> String {
    let width = statuses
        .iter()
        .map(|status| escape_terminal(&status.server).chars().count())
        .max()
        .unwrap_or(0);
    let mut out = String::new();
    for status in statuses {
        // Writing to a string does not fail.
        let line = format!(
            "{:width$}  {:17}  {}",
            escape_terminal(&status.server),
            status.state,
            facts(status)
        );
        let _ = writeln!(out, "{}", line.trim_end());
        for line in details(status) {
            let line = escape_terminal(&line);
            let _ = writeln!(out, "{:width$}  {}", "", line.trim_end());
        }
    }
    out
}

fn facts(status: &ServerStatus) -> String {
    let mut facts = Vec::new();
    if status.state == ServerState::Ready {
        facts.push(match status.tools {
            1 => "1 tool".to_owned(),
            count => format!("{count} tools"),
        });
    }
    facts.extend(
        status
            .version
            .as_deref()
            .map(|version| escape_terminal(version).into_owned()),
    );
    if status.restarts > 0 {
        facts.push(format!("reconnected {} times", status.restarts).replace(" 1 times", " once"));
    }
    facts.extend(duration(status.elapsed).map(|time| format!("for {time}")));
    facts.join(", ")
}

fn details(status: &ServerStatus) -> Vec<String> {
    let mut lines: Vec<String> = status
        .error
        .iter()
        .flat_map(|text| text.lines())
        .map(str::to_owned)
        .collect();
    // Most errors say already what stood on standard error.
    let said = |tail: &String| {
        status
            .error
            .as_deref()
            .is_some_and(|error| error.contains(tail.trim_end()))
    };
    lines.extend(
        status
            .stderr_tail
            .iter()
            .filter(|tail| !said(tail))
            .flat_map(|tail| tail.lines())
            .map(|line| format!("stderr: {line}")),
    );
    lines.extend(
        status
            .notes
            .iter()
            .map(|note| format!("note: {}", note.replace('\n', " "))),
    );
    lines
}

/// The largest unit alone; nothing below a second.
fn duration(elapsed: Duration) -> Option<String> {
    match elapsed.as_secs() {
        0 => None,
        seconds @ 1..60 => Some(format!("{seconds} s")),
        seconds @ 60..3600 => Some(format!("{} min", seconds / 60)),
        seconds => Some(format!("{} h", seconds / 3600)),
    }
}
