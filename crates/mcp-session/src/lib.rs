#![doc = include_str!("../README.md")]

pub mod result;

pub use result::{CallFailure, ContentPart, ToolResult};
