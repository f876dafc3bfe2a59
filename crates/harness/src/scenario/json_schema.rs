//! The JSON Schema of the scenario language, for editors.

use schemars::generate::SchemaSettings;

use super::Scenario;

/// The JSON Schema of a scenario file, as it stands in `fixtures/scenarios/scenario.schema.json`.
pub fn json_schema() -> String {
    let schema = SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<Scenario>();
    // A schema is plain JSON, so it can always be written.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
