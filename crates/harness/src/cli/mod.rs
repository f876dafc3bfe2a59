//! The command line: arguments, printing, exit codes. It is the only part that reads the process's
//! environment, writes to its streams and listens to signals.

mod approve;
mod args;
mod call;
mod config;
mod connect;
mod entry;
mod exit;
mod host;
mod output;
mod report;
mod report_file;
mod review;
mod run;
mod select;
mod signals;
mod status_line;
mod tools;
mod trials;

pub use entry::main;
