#![doc = include_str!("../README.md")]

mod callgrind;
mod cli;
mod client;
mod entry;
mod gate;
mod machine;
mod meter;
mod outcome;
mod peer;
mod report;
mod sample;
mod statistics;
mod suite;
mod workload;

pub use entry::{bench, gate};
