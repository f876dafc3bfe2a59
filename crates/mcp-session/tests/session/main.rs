//! A session over scripted servers on in-memory pipes and paused time.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod exchange;
mod lifecycle;
mod lists;
mod plugins;
mod races;
mod settling;
mod simulation;
mod standing;
mod status;
mod support;
