//! Checks a model's arguments against a tool's input schema, as a host would:
//! `cargo run -p mcp-schema --example validate -- SCHEMA.json ARGUMENTS.json`.
//!
//! Prints one JSON object; the exit code is 0 whatever it says, and 2 where a file is of no use.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example talks to its user"
)]

use std::process::ExitCode;

use mcp_schema::ToolSchema;
use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
struct Report {
    valid: bool,
    /// What would be sent; null where nothing is.
    arguments: Option<Box<RawValue>>,
    violations: Vec<String>,
    coverage: &'static str,
    notes: Vec<String>,
}

fn main() -> ExitCode {
    let mut files = std::env::args().skip(1);
    let (Some(schema), Some(arguments), None) = (files.next(), files.next(), files.next()) else {
        eprintln!("usage: validate SCHEMA.json ARGUMENTS.json");
        return ExitCode::from(2);
    };
    match run(&schema, &arguments) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run(schema: &str, arguments: &str) -> Result<String, String> {
    let schema = read(schema)?
        .parse_schema()
        .map_err(|error| format!("{schema} is not valid JSON: {error}"))?;
    let arguments = read(arguments)?;
    let report = report(&schema, &arguments.0);
    serde_json::to_string(&report).map_err(|error| format!("cannot write the report: {error}"))
}

struct Text(String);

impl Text {
    fn parse_schema(self) -> Result<ToolSchema, serde_json::Error> {
        let text = self.0.trim_start_matches('\u{feff}').to_owned();
        RawValue::from_string(text).map(ToolSchema::new)
    }
}

fn read(file: &str) -> Result<Text, String> {
    let text = std::fs::read_to_string(file);
    text.map(Text)
        .map_err(|error| format!("cannot read {file}: {error}"))
}

fn report(schema: &ToolSchema, arguments: &str) -> Report {
    let mut notes: Vec<String> = schema.notes().iter().map(ToString::to_string).collect();
    if let Some(reason) = schema.withheld() {
        notes.push(format!("the tool is withheld: {reason}"));
    }
    let coverage = schema.coverage().as_str();
    match schema.prepare(Some(arguments)) {
        Ok(prepared) => {
            notes.extend(prepared.notes().iter().map(ToString::to_string));
            let arguments = Some(prepared.into_raw());
            Report {
                valid: true,
                arguments,
                violations: Vec::new(),
                coverage,
                notes,
            }
        }
        Err(violations) => {
            notes.extend(violations.notes().iter().map(ToString::to_string));
            let violations = violations.to_string().lines().map(str::to_owned).collect();
            Report {
                valid: false,
                arguments: None,
                violations,
                coverage,
                notes,
            }
        }
    }
}
