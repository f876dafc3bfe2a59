//! Every tool of the published servers that stand beside the repository.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

#[path = "support/generate.rs"]
mod generate;
#[path = "support/shared.rs"]
mod shared;

use std::time::Instant;

use mcp_schema::{Coverage, ToolSchema};
use serde_json::Value;
use serde_json::value::RawValue;

use generate::Generator;
use shared::json_files;

/// A published tool.
struct Tool {
    name: String,
    input: Box<RawValue>,
    output: Option<Box<RawValue>>,
}

#[derive(serde::Deserialize)]
struct Listing {
    tools: Vec<Listed>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: String,
    input_schema: Box<RawValue>,
    output_schema: Option<Box<RawValue>>,
}

fn tools() -> Vec<Tool> {
    let mut tools = Vec::new();
    for file in json_files("corpus/tools") {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let listing: Listing =
            serde_json::from_str(&text).expect("the file holds a tools/list result");
        let server = file
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        tools.extend(listing.tools.into_iter().map(|tool| Tool {
            name: format!("{server}/{}", tool.name),
            input: tool.input_schema,
            output: tool.output_schema,
        }));
    }
    tools
}

/// Schemas whose coverage is not full, each with the reason: the report that the list is checked
/// against.
const NOT_FULL: &[(&str, &str)] = &[];

#[test]
fn every_published_schema_compiles_and_nearly_all_are_checked_in_full() {
    let started = Instant::now();
    let mut schemas = 0;
    let mut not_full = Vec::new();
    for tool in tools() {
        for (side, text) in [("input", Some(tool.input)), ("output", tool.output)] {
            let Some(text) = text else { continue };
            schemas += 1;
            let given = text.get().to_owned();
            let schema = ToolSchema::new(text);
            assert_eq!(
                schema.raw().get(),
                given,
                "{}: the text comes back",
                tool.name
            );
            assert!(
                side == "output" || schema.withheld().is_none(),
                "{} is offered",
                tool.name
            );
            assert_ne!(
                schema.coverage(),
                Coverage::None,
                "{}: {:?}",
                tool.name,
                schema.notes()
            );
            if schema.coverage() != Coverage::Full || !schema.notes().is_empty() {
                println!(
                    "{} ({side}): {} {:?}",
                    tool.name,
                    schema.coverage(),
                    schema.notes()
                );
                not_full.push(tool.name.clone());
            }
        }
    }
    println!(
        "{schemas} schemas in {:?}, {} not in full",
        started.elapsed(),
        not_full.len()
    );
    if schemas > 0 {
        let listed: Vec<&str> = NOT_FULL.iter().map(|(name, _)| *name).collect();
        assert_eq!(not_full, listed);
    }
}

/// A generated instance for each input schema passes, also with nulls for what it leaves out, and
/// comes out without them; a broken one is refused.
#[test]
fn generated_instances_pass_and_broken_ones_are_refused() {
    for tool in tools() {
        let schema = ToolSchema::new(tool.input);
        let document: Value = serde_json::from_str(schema.raw().get()).expect("a schema is JSON");
        let generator = Generator::new(&document);
        for full in [false, true] {
            let valid = generator.valid(full);
            let text = valid.to_string();
            let sent = schema.prepare(Some(&text));
            let sent =
                sent.unwrap_or_else(|violations| panic!("{}: {text}\n{violations}", tool.name));
            assert_eq!(sent.get().get(), text, "{}: untouched", tool.name);

            let nulls = generator.with_nulls(&valid);
            let given = nulls.to_string();
            let sent = schema.prepare(Some(&given));
            let sent =
                sent.unwrap_or_else(|violations| panic!("{}: {given}\n{violations}", tool.name));
            let left: Value = serde_json::from_str(sent.get().get()).expect("JSON is sent");
            assert_eq!(left, valid, "{}: {given}", tool.name);
        }
        let broken = generator.broken().to_string();
        assert!(
            schema.prepare(Some(&broken)).is_err(),
            "{}: {broken} passed",
            tool.name
        );
    }
}
