//! Generates the schema from the types.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};

use super::shape::File;

/// The JSON Schema (2020-12) of `mcp.json`. The same text is in the repository as `schema/mcp.schema.json`.
///
/// ```
/// let schema = mcp_config::json_schema();
/// assert_eq!(schema["title"], "mcp.json");
/// assert!(schema["properties"]["mcpServers"].is_object());
/// ```
pub fn json_schema() -> serde_json::Value {
    let settings = SchemaSettings::draft2020_12().with_transform(Tidy);
    let generator = settings.into_generator();
    generator.into_root_schema_for::<File>().to_value()
}

/// An `Option` means that a member may be left out, not that it may be `null`. And a comment's line breaks are those
/// of a source file.
#[derive(Clone, Debug)]
struct Tidy;

impl Transform for Tidy {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        schema.remove("default");
        if let Some(serde_json::Value::String(description)) = schema.get_mut("description") {
            *description = description.replace('\n', " ");
        }
        if let Some(types) = schema
            .get_mut("type")
            .and_then(serde_json::Value::as_array_mut)
        {
            types.retain(|kind| kind != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                schema.insert("type".to_owned(), only);
            }
        }
        without_null_branch(schema);
    }
}

/// `anyOf: [X, null]` becomes X.
fn without_null_branch(schema: &mut Schema) {
    let Some(branches) = schema.get("anyOf").and_then(serde_json::Value::as_array) else {
        return;
    };
    let is_null =
        |branch: &serde_json::Value| branch.get("type").is_some_and(|kind| kind == "null");
    let kept: Vec<_> = branches
        .iter()
        .filter(|branch| !is_null(branch))
        .cloned()
        .collect();
    if kept.len() == branches.len() {
        return;
    }
    schema.remove("anyOf");
    if let [serde_json::Value::Object(only)] = kept.as_slice() {
        for (key, value) in only {
            schema.insert(key.clone(), value.clone());
        }
    }
}
