//! The difference between an accepted artifact and what a run produced, line by line.

use similar::{ChangeTag, TextDiff};

use crate::terminal::{Style, escape_line};

/// How many equal lines stand around a change.
const CONTEXT: usize = 3;

/// A line of a unified diff. Control characters are escaped: an artifact shows what servers sent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiffLine {
    /// Where the following lines stand: `@@ -1,4 +1,5 @@`.
    Place(String),
    /// A line of both.
    Equal(String),
    /// A line that only the accepted text has.
    Removed(String),
    /// A line that only the received text has.
    Added(String),
}

/// The lines of the unified diff from `accepted` to `received`, without its two headers; none where they are
/// equal.
pub fn diff_lines(accepted: &str, received: &str) -> Vec<DiffLine> {
    let diff = TextDiff::from_lines(accepted, received);
    let mut lines = Vec::new();
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        lines.push(DiffLine::Place(
            hunk.header().to_string().trim_end().to_owned(),
        ));
        for change in hunk.iter_changes() {
            let mut line = escape_line(change.value().trim_end_matches('\n'));
            if change.missing_newline() {
                line.push_str("\n\\ no newline at the end");
            }
            lines.push(match change.tag() {
                ChangeTag::Equal => DiffLine::Equal(line),
                ChangeTag::Delete => DiffLine::Removed(line),
                ChangeTag::Insert => DiffLine::Added(line),
            });
        }
    }
    lines
}

/// The unified diff of two texts below a heading for each, every line styled; empty where they are equal.
///
/// ```
/// use mcp_harness::artifact::unified_diff;
/// use mcp_harness::terminal::Style;
///
/// let diff = unified_diff(("a.json (accepted)", "1\n"), ("a.json (this run)", "2\n"), Style::Plain);
/// assert_eq!(diff, "--- a.json (accepted)\n+++ a.json (this run)\n@@ -1 +1 @@\n-1\n+2\n");
/// ```
pub fn unified_diff(old: (&str, &str), new: (&str, &str), style: Style) -> String {
    let ((old_heading, old), (new_heading, new)) = (old, new);
    if old == new {
        return String::new();
    }
    let mut text = format!(
        "{}\n{}\n",
        style.bold(&format!("--- {old_heading}")),
        style.bold(&format!("+++ {new_heading}"))
    );
    for line in diff_lines(old, new) {
        let styled = match line {
            DiffLine::Place(place) => style.dim(&place),
            DiffLine::Equal(line) => format!(" {line}"),
            DiffLine::Removed(line) => style.red(&format!("-{line}")),
            DiffLine::Added(line) => style.green(&format!("+{line}")),
        };
        text.push_str(&styled);
        text.push('\n');
    }
    text
}
