//! Cases as data: a schema, what a model or a server gives, and what comes out. `cases.json` holds
//! those that were met in the wild, `kinds.json` the kinds behind them.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

#[path = "support/text.rs"]
mod text;

use serde::Deserialize;
use serde_json::value::RawValue;

use text::{raw, schema};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    /// What the case shows.
    says: String,
    schema: Box<RawValue>,
    /// The model's text, for `prepare`.
    arguments: Option<String>,
    /// A value, for `check`.
    value: Option<String>,
    /// What goes out, byte for byte.
    sent: Option<String>,
    /// The lines of the violations.
    #[serde(default)]
    refused: Vec<String>,
    coverage: String,
    /// The notes on the schema and on the call, in this order.
    #[serde(default)]
    notes: Vec<String>,
    withheld: Option<String>,
}

/// What a case comes to.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    sent: Option<String>,
    refused: Vec<String>,
    coverage: String,
    notes: Vec<String>,
    withheld: Option<String>,
}

fn outcome(case: &Case) -> Outcome {
    let schema = schema(case.schema.get());
    assert_eq!(schema.raw().get(), case.schema.get(), "the text comes back");
    let mut notes: Vec<String> = schema.notes().iter().map(ToString::to_string).collect();
    let (sent, refused) = if let Some(value) = &case.value {
        match schema.check(&raw(value)) {
            Ok(checked) => {
                notes.extend(checked.notes().iter().map(ToString::to_string));
                (None, String::new())
            }
            Err(violations) => (None, violations.to_string()),
        }
    } else {
        match schema.prepare(case.arguments.as_deref()) {
            Ok(arguments) => {
                notes.extend(arguments.notes().iter().map(ToString::to_string));
                (Some(arguments.get().get().to_owned()), String::new())
            }
            Err(violations) => {
                notes.extend(violations.notes().iter().map(ToString::to_string));
                (None, violations.to_string())
            }
        }
    };
    Outcome {
        sent,
        refused: refused.lines().map(str::to_owned).collect(),
        coverage: schema.coverage().to_string(),
        notes,
        withheld: schema.withheld().map(ToString::to_string),
    }
}

fn check(file: &str) {
    let cases: Vec<Case> = serde_json::from_str(file).expect("the cases are well-formed");
    let mut wrong = Vec::new();
    for case in cases {
        let expected = Outcome {
            sent: case.sent.clone(),
            refused: case.refused.clone(),
            coverage: case.coverage.clone(),
            notes: case.notes.clone(),
            withheld: case.withheld.clone(),
        };
        let outcome = outcome(&case);
        if outcome != expected {
            wrong.push(format!(
                "{} {}\n  came out {outcome:?}\n  expected {expected:?}",
                case.id, case.says
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cases_that_were_met_in_the_wild_come_out_right() {
    check(include_str!("data/cases.json"));
}

#[test]
fn the_kinds_behind_them_come_out_right() {
    check(include_str!("data/kinds.json"));
}
