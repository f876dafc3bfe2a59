//! Any text as arguments for some schema of a list: what is sent is what was given, less nulls,
//! and preparing it again changes nothing.

use mcp_schema::ToolSchema;
use serde_json::value::RawValue;

const SCHEMAS: [&str; 8] = [
    r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}"#,
    r##"{"$defs":{"n":{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"type":"string"}}}},"$ref":"#/$defs/n"}"##,
    r##"{"type":"object","properties":{"a":{"anyOf":[{"type":"array","items":{"$ref":"#"}},{"type":"object","properties":{"b":{"type":"integer"}},"required":["c"]},{"type":"string"}]}}}"##,
    r#"{"type":"object","oneOf":[{"properties":{"a":{"const":1},"b":{"type":"string"}}},{"properties":{"a":{"const":2},"c":{"type":"string"}},"required":["a"]}],"unevaluatedProperties":false}"#,
    r#"{"type":"object","if":{"required":["a"]},"then":{"properties":{"b":{"type":"boolean"}}},"else":{"properties":{"b":{"type":"number","multipleOf":0.01}}},"dependentSchemas":{"c":{"required":["d"]}}}"#,
    r#"{"type":"object","patternProperties":{"^a(?=.)":{"type":"string","pattern":"^(?:(x|xx)+)\\1?y$"}},"additionalProperties":{"type":["integer","null"],"maximum":100}}"#,
    r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"items":[{"type":"object","properties":{"b":{"type":"string"}}}],"additionalItems":{"enum":[1,null]}}}}"#,
    r#"{"type":"object","properties":{"a":{"uniqueItems":true,"contains":{"type":"integer"},"maxContains":2},"b":{"propertyNames":{"maxLength":3},"minProperties":1}},"additionalProperties":false}"#,
];

/// The first byte picks the schema, the rest is the arguments.
pub(crate) fn run(bytes: &[u8]) {
    let Some((which, text)) = bytes.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let schema = SCHEMAS[usize::from(*which) % SCHEMAS.len()];
    let schema = ToolSchema::new(RawValue::from_string(schema.to_owned()).expect("well-formed"));
    let Ok(sent) = schema.prepare(Some(text)) else {
        return;
    };
    let out = sent.get().get();
    if sent.dropped().is_empty() {
        assert!(out == "{}" || text.contains(out));
    }
    let again = schema.prepare(Some(out)).expect("what was sent is valid");
    assert_eq!(again.get().get(), out);
    assert!(again.dropped().is_empty());
}
