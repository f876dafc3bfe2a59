//! Compiling, validating and preparing, beside `jsonschema` used directly.
//!
//! `cargo bench -p mcp-schema`. Pairs of one group do the same work; `validate/ours` may take a tenth
//! more than `validate/jsonschema`.

#![expect(clippy::expect_used, reason = "a bench fails by panicking")]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use mcp_schema::ToolSchema;
use serde_json::Value;
use serde_json::value::RawValue;

/// A nested schema of thirty properties, and arguments for it.
const SCHEMA: &str = include_str!("tool/schema.json");
const VALID: &str = include_str!("tool/valid.json");
const INVALID: &str = include_str!("tool/invalid.json");
const NULLS: &str = include_str!("tool/nulls.json");

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).expect("well-formed")
}

fn direct(document: &Value) -> jsonschema::Validator {
    let options = jsonschema::options().should_validate_formats(false);
    options.build(document).expect("the schema compiles")
}

/// A schema that no cache knows: compiled forms are shared by the bytes of the text.
fn fresh(number: &mut u64) -> String {
    *number += 1;
    SCHEMA.replacen('{', &format!(r#"{{"$comment":"{number}","#), 1)
}

fn compile(c: &mut Criterion) {
    let mut group = c.benchmark_group("compile");
    let mut number = 0;
    group.bench_function("jsonschema", |b| {
        b.iter_batched(
            || fresh(&mut number),
            |text| direct(&serde_json::from_str(&text).expect("JSON")),
            BatchSize::SmallInput,
        );
    });
    let mut number = 0;
    group.bench_function("ours", |b| {
        b.iter_batched(
            || raw(&fresh(&mut number)),
            |text| black_box(ToolSchema::new(text).coverage()),
            BatchSize::SmallInput,
        );
    });
    let schema = ToolSchema::new(raw(SCHEMA));
    schema.coverage();
    group.bench_function("ours, compiled before", |b| {
        b.iter_batched(
            || schema.raw().to_owned(),
            |text| black_box(ToolSchema::new(text).coverage()),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

/// From the text of a value to the verdict: `check` against what its user would write.
fn validate(c: &mut Criterion) {
    let mut group = c.benchmark_group("validate");
    let schema = ToolSchema::new(raw(SCHEMA));
    let validator = direct(&serde_json::from_str(SCHEMA).expect("JSON"));
    for (name, text) in [("valid", VALID), ("invalid", INVALID)] {
        let value = raw(text);
        group.bench_function(format!("jsonschema/{name}"), |b| {
            b.iter(|| {
                let parsed: Value = serde_json::from_str(black_box(value.get())).expect("JSON");
                validator
                    .iter_errors(&parsed)
                    .map(|error| error.to_string())
                    .collect::<Vec<_>>()
            });
        });
        group.bench_function(format!("ours/{name}"), |b| {
            b.iter(|| {
                schema
                    .check(black_box(&value))
                    .map_err(|violations| violations.to_string())
            });
        });
    }
    group.finish();
}

/// From a model's text to the arguments that are sent.
fn prepare(c: &mut Criterion) {
    let mut group = c.benchmark_group("prepare");
    let schema = ToolSchema::new(raw(SCHEMA));
    let validator = direct(&serde_json::from_str(SCHEMA).expect("JSON"));
    group.bench_function("jsonschema/valid", |b| {
        b.iter(|| {
            let raw = raw(black_box(VALID));
            let parsed: Value = serde_json::from_str(raw.get()).expect("JSON");
            validator.is_valid(&parsed).then_some(raw)
        });
    });
    group.bench_function("ours/valid", |b| {
        b.iter(|| schema.prepare(Some(black_box(VALID))));
    });
    group.bench_function("ours/with nulls", |b| {
        b.iter(|| schema.prepare(Some(black_box(NULLS))));
    });
    group.finish();
}

criterion_group!(benches, compile, validate, prepare);
criterion_main!(benches);
