//! Any text as a schema: it compiles or says why not, and whatever it accepts is checked.

use mcp_schema::{Coverage, ToolSchema};
use serde_json::value::RawValue;

const ARGUMENTS: [&str; 4] = [
    "{}",
    r#"{"a":null,"b":[{"a":null},1.5,"x"],"":{"a":{"a":[]}}}"#,
    r#"{"a":"aaaaaaaaaaaaaaaaaaaa!","b":18446744073709551616,"c":{"b":null}}"#,
    r#"{"a":[[[[{"a":"[]"}]]]],"b":true}"#,
];

pub(crate) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(raw) = RawValue::from_string(text.to_owned()) else {
        return;
    };
    let given = raw.get().to_owned();
    let schema = ToolSchema::new(raw);
    let _ = schema.withheld();
    assert_eq!(schema.raw().get(), given);
    assert_eq!(
        schema.coverage() == Coverage::Full,
        schema.coverage().as_str() == "full"
    );
    assert!(schema.coverage() == Coverage::Full || !schema.notes().is_empty());
    for arguments in ARGUMENTS {
        match schema.prepare(Some(arguments)) {
            Ok(sent) => assert!(sent.get().get().starts_with('{')),
            Err(violations) => {
                assert!(violations.iter().count() >= 1);
                assert!(violations.to_string().lines().count() <= 6);
            }
        }
        let value = RawValue::from_string(arguments.to_owned()).expect("well-formed");
        let _ = schema.check(&value);
    }
}
