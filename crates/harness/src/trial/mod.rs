//! Trials: a scenario played and judged. It owns the verdict, the limits and the order of running; printing
//! is the command's.

mod judge;
mod log_tail;
mod outcome;
mod partition;
mod playing;
mod record;
mod run;
mod setup;

pub use judge::{Trial, trials};
pub use outcome::{Difference, Failure, Outcome};
pub use partition::{Partition, PartitionError};
pub use record::Record;
pub use run::{Progress, Report, run};
pub use setup::{Mode, Setup};
