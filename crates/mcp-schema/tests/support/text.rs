//! Schemas and values from their text.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use mcp_schema::ToolSchema;
use serde_json::value::RawValue;

/// A schema from its text.
pub(crate) fn schema(text: &str) -> ToolSchema {
    ToolSchema::new(raw(text))
}

/// A value from its text.
pub(crate) fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).expect("the test's JSON is well-formed")
}
