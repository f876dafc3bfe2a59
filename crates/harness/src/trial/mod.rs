//! Trials: a scenario played and judged. It owns the verdict, the limits and the order of running; printing
//! is the command's.

mod run;
mod setup;
mod judge;
mod verdict;

pub use run::{Report, run};
pub use setup::{Mode, Setup};
pub use judge::{Trial, trials};
pub use verdict::Outcome;
