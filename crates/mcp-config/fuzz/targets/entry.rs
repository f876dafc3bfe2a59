//! Any text as an entry: refused exactly for an error, each problem has a path, and what is accepted can be written
//! back and read as the same entry.

use mcp_config::{Origin, Problem, RenderOptions, ServerEntry, render};

pub(crate) fn run(bytes: &[u8]) {
    let Ok(json) = std::str::from_utf8(bytes) else {
        return;
    };
    let origin = Origin::plugin("fuzz");
    let (entry, problems) = ServerEntry::parse("a", json, &origin);
    assert_eq!(entry.is_none(), problems.iter().any(Problem::is_error));
    let report = render(&problems, RenderOptions::default());
    assert!(
        !report.contains(|c: char| c.is_control() && c != '\n'),
        "{report:?}"
    );
    if let Some(entry) = entry {
        let _ = format!("{entry:?}{:?}{:?}", entry.commands(), entry.variables());
        assert!(!entry.changes(&entry).any());
        let (again, _) = ServerEntry::parse("a", &entry.expose_json(), &origin);
        assert_eq!(again.as_ref(), Some(&entry));
    }
}
