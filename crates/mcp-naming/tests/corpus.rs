//! The tools of many published servers, all together; skipped where the corpus is not at hand.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]
#![expect(clippy::print_stdout, reason = "a skipped test says so")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use mcp_naming::NameTable;
use serde_json::Value;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/tools");

/// Server (the file's name) and tool of each listed tool, sorted by file.
fn corpus() -> Option<Vec<(String, String)>> {
    if !Path::new(CORPUS).is_dir() {
        println!("skipped: {CORPUS} is not at hand");
        return None;
    }
    let mut pairs = Vec::new();
    for file in fs::read_dir(CORPUS).expect("the corpus can be listed") {
        let path = file.expect("the corpus can be listed").path();
        let server = path
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).expect("the file can be read");
        let listing: Value = serde_json::from_str(&text).expect("the file is JSON");
        let tools = listing["tools"].as_array().expect("the file lists tools");
        pairs.extend(tools.iter().map(|tool| {
            (
                server.clone(),
                tool["name"].as_str().expect("a tool has a name").to_owned(),
            )
        }));
    }
    pairs.sort();
    Some(pairs)
}

fn assign(table: &mut NameTable, pairs: &[(String, String)]) -> BTreeMap<(String, String), String> {
    let outcomes = table.assign(pairs.iter().map(|(server, tool)| (&**server, &**tool)));
    let names = outcomes
        .into_iter()
        .map(|outcome| outcome.expect("each tool has a name").to_string());
    pairs.iter().cloned().zip(names).collect()
}

#[test]
fn all_tools_of_all_servers_have_distinct_valid_names_in_any_order() {
    let Some(mut pairs) = corpus() else { return };
    let names = assign(&mut NameTable::new(), &pairs);
    assert_eq!(names.len(), pairs.len(), "no server lists a tool twice");
    assert_eq!(names.values().collect::<BTreeSet<_>>().len(), names.len());
    for name in names.values() {
        assert!(name.len() <= 64, "{name}");
        assert!(
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
            "{name}"
        );
    }

    let mut table = NameTable::new();
    for round in 1..20 {
        pairs.rotate_left(round * 53 % names.len());
        if round % 2 == 0 {
            pairs.reverse();
        }
        assert_eq!(assign(&mut NameTable::new(), &pairs), names);
        assert_eq!(assign(&mut table, &pairs), names);
    }
}
