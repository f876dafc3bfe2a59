#![doc = include_str!("../README.md")]

mod callgrind;
mod cli;
mod client;
mod entry;
mod foreign;
mod gate;
mod machine;
mod meter;
mod number;
mod outcome;
mod page;
mod peer;
mod report;
mod sample;
mod statistics;
mod suite;
mod versions;
mod workload;

pub use entry::{bench, gate};
