#![doc = include_str!("../README.md")]

pub mod artifact;
mod chain;
pub mod library;
pub mod sandbox;
pub mod scenario;
pub mod terminal;
