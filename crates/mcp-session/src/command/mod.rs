//! The commands that values of the configuration name (`!pass show token`): run once, shared by all
//! who ask, remembered when they succeed.

mod commands;
mod run;

pub use commands::Commands;
