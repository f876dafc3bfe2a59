#![doc = include_str!("../README.md")]

mod config;
pub mod document;
mod entry;
mod explain;
mod problem;
mod resolve;
mod schema;
mod secret;
mod sensitive;
mod template;

pub use config::{
    Config, ConfigReader, FailedEntry, Fingerprint, Layer, LayerSource, Locations, MAX_FILE_SIZE,
    Outcome, ParseFingerprintError, PendingEntry, PendingKind, Server, Trust, load,
};
pub use entry::{
    Changes, Exposure, HttpEntry, Origin, ServerEntry, Sourced, StdioEntry, ToolExposure, Transport,
};
pub use explain::{Explanation, explain};
pub use problem::{Problem, RenderOptions, Severity, escape_json, escape_terminal, render};
pub use resolve::{
    Command, CommandFailure, CommandRunner, Digest, DigestKey, Environment, KILL_GRACE,
    OUTPUT_LIMIT, Outputs, ResolveError, ResolveErrors, ResolvedServer, ResolvedTransport,
    RunningCommand, TIME_LIMIT,
};
pub use schema::json_schema;
pub use secret::Secret;
pub use template::Template;
