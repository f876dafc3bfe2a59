//! Any text as a batch, one tool a line, server and tool apart by a tab; and as a kept table. Each tool gets a name of
//! its own that leads back to it, in whatever order the batch came, and a table that is kept comes back the same.

use mcp_naming::NameTable;

pub(crate) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let batch: Vec<_> = text
        .lines()
        .map(|line| line.split_once('\t').unwrap_or(("s", line)))
        .collect();
    let mut table = NameTable::new();
    let outcomes = table.assign(batch.iter().copied());
    assert_eq!(outcomes.len(), batch.len());
    for ((server, tool), outcome) in batch.iter().zip(&outcomes) {
        match outcome {
            Ok(name) => {
                let name = name.as_str();
                assert!(name.len() <= 64 && name.starts_with("mcp__"), "{name}");
                assert!(
                    name.bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
                    "{name}"
                );
                assert_eq!(table.resolve(name), Some((*server, *tool)));
            }
            Err(_) => assert!(
                tool.is_empty()
                    || batch
                        .iter()
                        .filter(|pair| *pair == &(*server, *tool))
                        .count()
                        > 1
            ),
        }
    }
    let mut backwards = NameTable::new();
    backwards.assign(batch.iter().rev().copied());
    assert_eq!(kept(&backwards), kept(&table));
    // A table that grew in two steps keeps what the first one gave.
    let (first, second) = batch.split_at(batch.len() / 2);
    let mut stepwise = NameTable::new();
    stepwise.assign(first.iter().copied());
    let given: Vec<_> = stepwise
        .iter()
        .map(|(server, tool, name)| (server.to_owned(), tool.to_owned(), name.clone()))
        .collect();
    let mut resumed: NameTable =
        serde_json::from_str(&kept(&stepwise)).expect("what was kept can be read");
    resumed.assign(second.iter().copied());
    for (server, tool, name) in &given {
        assert_eq!(resumed.get(server, tool), Some(name));
    }
    assert_eq!(resumed.len(), table.len());
    // And what somebody else wrote is a table only if each name leads to its tool.
    if let Ok(table) = serde_json::from_str::<NameTable>(text) {
        let again: NameTable =
            serde_json::from_str(&kept(&table)).expect("what was kept can be read");
        assert_eq!(kept(&again), kept(&table));
        assert!(
            table
                .iter()
                .all(|(server, tool, name)| table.resolve(name.as_str()) == Some((server, tool)))
        );
    }
}

fn kept(table: &NameTable) -> String {
    serde_json::to_string(table).expect("a table is JSON")
}
