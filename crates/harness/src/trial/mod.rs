//! Trials: a scenario played and judged. It owns the verdict, the limits and the order of running; printing
//! is the command's.

mod judge;
mod run;
mod setup;
mod verdict;

pub use judge::{Trial, trials};
pub use run::{Report, run};
pub use setup::{Mode, Setup};
pub use verdict::Outcome;
