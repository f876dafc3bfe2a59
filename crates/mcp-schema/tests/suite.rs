//! The JSON-Schema-Test-Suite through the public API, where it stands beside the repository.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

#[path = "support/expected.rs"]
mod expected;
#[path = "support/shared.rs"]
mod shared;
#[path = "support/text.rs"]
mod text;

use std::collections::BTreeSet;

use mcp_schema::Coverage;
use serde_json::Value;

use shared::json_files;
use text::{raw, schema};

/// The number of cases of a folder, and the groups (file, name) that come out otherwise.
fn failures(draft: &str, part: &str) -> (usize, BTreeSet<(String, String)>) {
    let mut cases = 0;
    let mut failed = BTreeSet::new();
    for path in json_files(&format!(
        "corpus/json-schema-test-suite/tests/{draft}/{part}"
    )) {
        let file = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let groups: Value = serde_json::from_str(&text).expect("the file holds JSON");
        for group in groups.as_array().expect("a file holds groups") {
            let name = group["description"]
                .as_str()
                .expect("a group has a description");
            let tests = group["tests"].as_array().expect("a group has tests");
            cases += tests.len();
            if !comes_out(draft, &group["schema"], tests) {
                failed.insert((file.clone(), name.to_owned()));
            }
        }
    }
    (cases, failed)
}

fn comes_out(draft: &str, document: &Value, tests: &[Value]) -> bool {
    let mut document = document.clone();
    if let Value::Object(members) = &mut document
        && draft == "draft7"
    {
        let address = "http://json-schema.org/draft-07/schema#";
        members.entry("$schema").or_insert_with(|| address.into());
    }
    let schema = schema(&document.to_string());
    schema.coverage() == Coverage::Full
        && tests.iter().all(|case| {
            let passes = schema.check(&raw(&case["data"].to_string())).is_ok();
            passes == case["valid"]
        })
}

fn check(draft: &str, required: usize) {
    let (cases, failed) = failures(draft, "");
    if cases == 0 {
        return;
    }
    assert_eq!(
        cases, required,
        "the suite is another one than the one that was listed"
    );
    let listed = expected::FAILURES
        .iter()
        .filter(|failure| failure.draft == draft);
    let expected: BTreeSet<(String, String)> = listed
        .flat_map(|failure| {
            failure
                .groups
                .iter()
                .map(|group| (failure.file.to_owned(), (*group).to_owned()))
        })
        .collect();
    let unlisted: Vec<_> = failed.difference(&expected).collect();
    assert!(unlisted.is_empty(), "failed, and not listed: {unlisted:#?}");
    let passing: Vec<_> = expected.difference(&failed).collect();
    assert!(
        passing.is_empty(),
        "listed as failing, but they pass: {passing:#?}"
    );
}

#[test]
fn the_2020_12_suite_passes() {
    check("draft2020-12", 1299);
}

#[test]
fn the_draft_07_suite_passes() {
    check("draft7", 927);
}

/// Optional cases are reported by number: formats are annotations here, so their invalid
/// instances pass by design.
#[test]
fn the_optional_cases_are_reported() {
    for draft in ["draft2020-12", "draft7"] {
        for part in ["optional", "optional/format"] {
            let (cases, failed) = failures(draft, part);
            println!(
                "{draft}/{part}: {cases} cases, {} groups come out otherwise",
                failed.len()
            );
        }
    }
}
