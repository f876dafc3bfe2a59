//! The fuzz targets on every input that is kept: the corpora, and what ever failed.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "tests fail by panicking, and name the input that fails"
)]

#[path = "../../../fixtures/fuzz/replay.rs"]
mod replay;

#[path = "../fuzz/targets/compile.rs"]
mod compile;
#[path = "../fuzz/targets/prepare.rs"]
mod prepare;

#[test]
fn kept_inputs_of_compile_hold() {
    replay::replay(env!("CARGO_MANIFEST_DIR"), "compile", compile::run);
}

#[test]
fn kept_inputs_of_prepare_hold() {
    replay::replay(env!("CARGO_MANIFEST_DIR"), "prepare", prepare::run);
}
