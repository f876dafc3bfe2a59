#![doc = include_str!("../README.md")]

pub mod document;
mod problem;

pub use problem::{Problem, RenderOptions, Severity, escape_json, escape_terminal, render};
