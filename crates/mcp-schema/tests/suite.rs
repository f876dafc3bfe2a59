//! The JSON-Schema-Test-Suite through the public API, where it stands beside the repository.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use mcp_schema::Coverage;
use serde_json::Value;

use common::{json_files, raw, schema, shared};

mod expected;

/// One group that did not come out as the suite says.
fn failures(draft: &str, folder: &Path) -> (usize, BTreeSet<(String, String)>) {
    let mut cases = 0;
    let mut failed = BTreeSet::new();
    for (file, groups) in json_files(folder) {
        for group in groups.as_array().expect("a file holds groups") {
            let name = group["description"]
                .as_str()
                .expect("a group has a description");
            let mut text = group["schema"].clone();
            if let Value::Object(members) = &mut text
                && draft == "draft7"
            {
                let address = "http://json-schema.org/draft-07/schema#";
                members.entry("$schema").or_insert_with(|| address.into());
            }
            let schema = schema(&text.to_string());
            for case in group["tests"].as_array().expect("a group has tests") {
                cases += 1;
                let passes = schema.check(&raw(&case["data"].to_string())).is_ok();
                if passes != case["valid"] || schema.coverage() != Coverage::Full {
                    failed.insert((file.clone(), name.to_owned()));
                    println!(
                        "{draft}/{file}/{name}: {} {:?}",
                        case["description"],
                        schema.notes()
                    );
                }
            }
        }
    }
    (cases, failed)
}

fn check(draft: &str, required: usize) {
    let Some(folder) = shared(&format!("corpus/json-schema-test-suite/tests/{draft}")) else {
        return;
    };
    let (cases, failed) = failures(draft, &folder);
    assert_eq!(
        cases, required,
        "the suite is another one than the one that was listed"
    );
    let expected: BTreeSet<(String, String)> = expected::FAILURES
        .iter()
        .filter(|failure| failure.draft == draft)
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
            let place = format!("corpus/json-schema-test-suite/tests/{draft}/{part}");
            let Some(folder) = shared(&place) else {
                continue;
            };
            let (cases, failed) = failures(draft, &folder);
            println!(
                "{draft}/{part}: {cases} cases, {} groups come out otherwise",
                failed.len()
            );
        }
    }
}
