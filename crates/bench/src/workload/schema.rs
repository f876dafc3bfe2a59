//! Compiling a schema and checking arguments from their text, by `mcp-schema` and by the validator
//! under it as a program would use it directly.

use std::hint::black_box;

use mcp_schema::ToolSchema;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Figures, figure};
use crate::meter::{Memory, Meter};
use crate::outcome::Outcome;

/// A nested schema of thirty properties, and arguments for it.
const SCHEMA: &str = include_str!("../../../mcp-schema/benches/tool/schema.json");
const VALID: &str = include_str!("../../../mcp-schema/benches/tool/valid.json");
const INVALID: &str = include_str!("../../../mcp-schema/benches/tool/invalid.json");
/// Schemas that are compiled and kept.
const COMPILED: usize = 200;

/// A compiled schema.
pub(super) trait Compiled: Sized {
    fn compile(text: String) -> Outcome<Self>;

    /// What is wrong with the value, as it would be told.
    fn check(&self, value: &RawValue) -> Outcome<Option<String>>;
}

/// The validator as it is.
pub(super) struct Direct(jsonschema::Validator);

impl Compiled for Direct {
    fn compile(text: String) -> Outcome<Self> {
        let document: Value = serde_json::from_str(&text)?;
        let options = jsonschema::options().should_validate_formats(false);
        Ok(Self(
            options
                .build(&document)
                .map_err(|error| error.to_string())?,
        ))
    }

    fn check(&self, value: &RawValue) -> Outcome<Option<String>> {
        let value: Value = serde_json::from_str(value.get())?;
        let errors: Vec<String> = self
            .0
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        Ok((!errors.is_empty()).then(|| errors.join("; ")))
    }
}

/// `mcp-schema`.
pub(super) struct Ours(ToolSchema);

impl Compiled for Ours {
    fn compile(text: String) -> Outcome<Self> {
        let schema = ToolSchema::new(RawValue::from_string(text)?);
        // It is compiled when it is first needed.
        schema.coverage();
        Ok(Self(schema))
    }

    fn check(&self, value: &RawValue) -> Outcome<Option<String>> {
        Ok(self
            .0
            .check(value)
            .err()
            .map(|violations| violations.to_string()))
    }
}

/// Compiles schemas, and checks arguments that many times.
pub(super) fn measure<C: Compiled>(count: usize) -> Outcome<Figures> {
    // What is paid once by a process is no part of it.
    C::compile(schema(COMPILED))?;
    let before = Memory::read()?.now;
    let meter = Meter::start();
    let compiled = (0..COMPILED)
        .map(|number| C::compile(schema(number)))
        .collect::<Outcome<Vec<C>>>()?;
    let spent = meter.stop();
    let kept = Memory::read()?.now - before;
    let mut figures = Figures::from([
        (
            "compile_us",
            spent.cpu.as_secs_f64() * 1e6 / figure(COMPILED),
        ),
        ("kb_each", kept / 1e3 / figure(COMPILED)),
    ]);
    let first = compiled.first().ok_or("nothing was compiled")?;
    for (metric, text, fails) in [("valid_us", VALID, false), ("invalid_us", INVALID, true)] {
        let value = RawValue::from_string(text.to_owned())?;
        if first.check(&value)?.is_some() != fails {
            return Err(format!("{metric}: the verdict is wrong").into());
        }
        let meter = Meter::start();
        for _ in 0..count {
            black_box(first.check(black_box(&value))?);
        }
        let each = meter.stop().cpu.as_secs_f64() * 1e6 / figure(count);
        figures.insert(metric, each);
    }
    Ok(figures)
}

/// A schema that no cache knows: compiled forms may be shared by their text.
fn schema(number: usize) -> String {
    SCHEMA.replacen('{', &format!(r#"{{"$comment":"{number}","#), 1)
}
