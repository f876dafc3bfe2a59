//! Prints the JSON Schema of the scenario language:
//! `cargo run -p mcp-harness --example scenario-schema > fixtures/scenarios/scenario.schema.json`

#![expect(clippy::print_stdout, reason = "its output is the schema")]

fn main() {
    print!("{}", mcp_harness::scenario::json_schema());
}
