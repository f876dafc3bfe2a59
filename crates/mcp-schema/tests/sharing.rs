//! Compiled forms are shared and bounded, and nobody notices.

#[path = "support/text.rs"]
mod text;

use std::thread;

use mcp_schema::{Coverage, ToolSchema};

use text::schema;

fn numbered(number: usize) -> ToolSchema {
    schema(&format!(
        r#"{{"type":"object","properties":{{"n":{{"const":{number}}}}}}}"#
    ))
}

fn takes(schema: &ToolSchema, number: usize) -> bool {
    schema
        .prepare(Some(&format!(r#"{{"n":{number}}}"#)))
        .is_ok()
}

#[test]
fn more_schemas_than_are_kept_all_work_in_turns() {
    let schemas: Vec<ToolSchema> = (0..600).map(numbered).collect();
    for round in 0..2 {
        for (number, schema) in schemas.iter().enumerate() {
            assert!(takes(schema, number), "round {round}, schema {number}");
            assert!(!takes(schema, number + 1), "round {round}, schema {number}");
            assert_eq!(schema.coverage(), Coverage::Full);
        }
    }
}

#[test]
fn threads_share_a_schema() {
    let schema = numbered(7);
    thread::scope(|scope| {
        for _ in 0..8 {
            let schema = schema.clone();
            scope.spawn(move || {
                for _ in 0..50 {
                    assert!(takes(&schema, 7) && !takes(&schema, 8));
                    assert!(takes(&numbered(7), 7));
                }
            });
        }
    });
}

#[test]
fn notes_outlive_the_compiled_form() {
    let schema = schema(r#"{"properties":{"p":{"pattern":"("}}}"#);
    let before = schema.notes().to_vec();
    for number in 1_000..1_400 {
        assert!(takes(&numbered(number), number));
    }
    assert_eq!(schema.notes(), before);
    assert_eq!(schema.coverage(), Coverage::Partial);
}
