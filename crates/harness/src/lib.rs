#![doc = include_str!("../README.md")]

pub mod artifact;
mod chain;
pub mod cli;
pub mod library;
mod number;
mod play;
pub mod report;
pub mod sandbox;
pub mod scenario;
mod shell;
pub mod terminal;
pub mod trace;
pub mod trial;
