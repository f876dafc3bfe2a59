//! The commands that values of the configuration name (`!pass show token`): run once, shared by all
//! who ask, remembered when they succeed.

mod commands;
mod limits;
#[cfg(all(feature = "stdio", unix))]
mod run;
#[cfg(not(all(feature = "stdio", unix)))]
mod unsupported;

pub use commands::Commands;

#[cfg(all(feature = "stdio", unix))]
use run::run;
#[cfg(not(all(feature = "stdio", unix)))]
use unsupported::run;
