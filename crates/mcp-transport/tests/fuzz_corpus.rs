//! The fuzz targets on every input that is kept: the corpora, and what ever failed.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail by panicking, and name the input that fails"
)]

#[path = "../../../fixtures/fuzz/replay.rs"]
mod replay;

#[path = "../fuzz/targets/mod.rs"]
mod targets;

#[test]
fn kept_inputs_of_connection_hold() {
    replay::replay(
        env!("CARGO_MANIFEST_DIR"),
        "connection",
        targets::connection::run,
    );
}

#[test]
fn kept_inputs_of_results_hold() {
    replay::replay(env!("CARGO_MANIFEST_DIR"), "results", targets::results::run);
}

#[test]
fn kept_inputs_of_notifications_hold() {
    replay::replay(
        env!("CARGO_MANIFEST_DIR"),
        "notifications",
        targets::notifications::run,
    );
}
