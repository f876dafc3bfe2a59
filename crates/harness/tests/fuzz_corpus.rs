//! The fuzz targets on every input that is kept: the corpora, and what ever failed.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail by panicking, and name the input that fails"
)]

#[path = "../../../fixtures/fuzz/replay.rs"]
mod replay;

#[path = "../fuzz/targets/scenario.rs"]
mod scenario;

#[test]
fn kept_inputs_of_scenario_hold() {
    replay::replay(env!("CARGO_MANIFEST_DIR"), "scenario", scenario::run);
}
