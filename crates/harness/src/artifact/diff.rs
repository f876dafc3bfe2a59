//! The unified diff between an accepted artifact and what a run produced.

use similar::{ChangeTag, TextDiff};

use crate::terminal::{Style, escape_line};

/// The unified diff from `accepted` to `received`, each line styled; empty where they are equal.
///
/// Control characters are escaped: an artifact shows what servers sent.
pub fn unified_diff(name: &str, accepted: &str, received: &str, style: Style) -> String {
    if accepted == received {
        return String::new();
    }
    let diff = TextDiff::from_lines(accepted, received);
    let mut text = format!(
        "{}\n{}\n",
        style.bold(&format!("--- {name} (accepted)")),
        style.bold(&format!("+++ {name} (this run)"))
    );
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        text.push_str(&style.dim(hunk.header().to_string().trim_end()));
        text.push('\n');
        for change in hunk.iter_changes() {
            let line = escape_line(change.value().trim_end_matches('\n'));
            let line = match change.tag() {
                ChangeTag::Equal => format!(" {line}"),
                ChangeTag::Delete => style.red(&format!("-{line}")),
                ChangeTag::Insert => style.green(&format!("+{line}")),
            };
            text.push_str(&line);
            text.push('\n');
            if change.missing_newline() {
                text.push_str("\\ no newline at the end\n");
            }
        }
    }
    text
}
