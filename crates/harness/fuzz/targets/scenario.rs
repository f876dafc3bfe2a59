//! Any bytes as a scenario file: refused with problems that have a place, in a report without control characters; and what
//! is accepted fits the JSON Schema that editors use.

use std::sync::LazyLock;

use mcp_harness::library::{Library, ScenarioName, ScenarioSource};
use mcp_harness::scenario::{json_schema, read};
use mcp_harness::terminal::Style;
use mcp_schema::ToolSchema;
use serde_json::value::RawValue;

static NAME: LazyLock<ScenarioName> = LazyLock::new(|| {
    let mut scenarios = Library::embedded()
        .scenarios()
        .expect("the built-in scenarios can be listed");
    scenarios.remove(0).name
});

static SCHEMA: LazyLock<ToolSchema> = LazyLock::new(|| {
    ToolSchema::new(RawValue::from_string(json_schema()).expect("the schema is JSON"))
});

pub(crate) fn run(bytes: &[u8]) {
    let source = ScenarioSource {
        name: NAME.clone(),
        file: "suite/case.json5".to_owned(),
        text: bytes.to_vec(),
    };
    match read(&source) {
        Ok(_) => {
            let parsed = mcp_config::document::parse("case.json5", bytes);
            let json = parsed
                .document
                .expect("a scenario is a document")
                .root()
                .to_json();
            if let Err(violations) = SCHEMA.prepare(Some(&json)) {
                panic!("the reader takes it, the schema says {violations}");
            }
        }
        Err(error) => {
            assert!(!error.problems.is_empty());
            let report = error.render(Style::Plain);
            assert!(
                !report.contains(|c: char| c.is_control() && c != '\n'),
                "{report:?}"
            );
        }
    }
}
