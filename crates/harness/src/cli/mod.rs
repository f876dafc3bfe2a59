//! The command line: arguments, printing, exit codes. It is the only part that reads the process's
//! environment, writes to its streams and listens to signals.

mod approve;
mod args;
mod call;
mod config;
mod connect;
mod doctor;
mod entry;
mod exit;
mod explain;
mod host;
mod listing;
mod lookup;
mod output;
mod report;
mod report_file;
mod review;
mod run;
mod select;
mod signals;
mod status_line;
mod tokens;
mod tools;
mod trials;
mod waiting;

pub use entry::main;
