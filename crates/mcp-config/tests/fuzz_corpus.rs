//! The fuzz targets on every input that is kept: the corpora, and what ever failed.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "tests fail by panicking, and name the input that fails"
)]

#[path = "../../../fixtures/fuzz/replay.rs"]
mod replay;

#[path = "../fuzz/targets/entry.rs"]
mod entry;
#[path = "../fuzz/targets/parse.rs"]
mod parse;
#[path = "../fuzz/targets/template.rs"]
mod template;

#[test]
fn kept_inputs_of_parse_hold() {
    replay::replay(env!("CARGO_MANIFEST_DIR"), "parse", parse::run);
}

#[test]
fn kept_inputs_of_template_hold() {
    replay::replay(env!("CARGO_MANIFEST_DIR"), "template", template::run);
}

#[test]
fn kept_inputs_of_entry_hold() {
    replay::replay(env!("CARGO_MANIFEST_DIR"), "entry", entry::run);
}
