#![cfg_attr(feature = "stdio", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "stdio"),
    doc = "One dependable connection to one MCP server. See the README, whose example needs the feature `stdio`."
)]

mod call_options;
mod client_info;
mod close_report;
mod connect;
mod connection;
mod ending;
mod error;
mod event;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod handler;
#[cfg(feature = "http")]
mod http;
mod link;
mod log_level;
mod mask;
mod method;
pub mod model;
mod options;
mod over;
#[cfg(feature = "stdio")]
pub mod process;
mod rpc;
mod server_info;
mod server_log;
mod stats;
#[cfg(all(feature = "stdio", unix))]
mod stdio;
mod types;
#[cfg(all(feature = "stdio", not(unix)))]
mod unsupported;
mod version;
mod wire;

pub use call_options::{CallOptions, Progress};
pub use client_info::ClientInfo;
pub use close_report::CloseReport;
pub use connection::Connection;
pub use error::{ConnectError, DropReason, NetworkFailure, Phase, RequestError};
pub use event::{Event, Events, LogEntry, LogSource};
pub use handler::{HandlerError, Handlers};
#[cfg(feature = "http")]
pub use http::{
    AuthFuture, AuthProvider, Challenge, Credential, EndpointError, HttpSpec, HttpSpecError,
    Refusal,
};
pub use log_level::LogLevel;
pub use mask::Mask;
pub use options::{EXIT_GRACE, MAX_REQUEST, Options, PROBE_WAIT, REQUEST_TIMEOUT, START_TIMEOUT};
pub use server_info::{Capabilities, ServerInfo};
pub use server_log::{LogRecord, ServerLog};
pub use stats::Stats;
#[cfg(all(feature = "rmcp", unix))]
pub use stdio::{StdioSendError, StdioTransport};
pub use types::{
    CacheHint, CallResult, Completion, CompletionRef, ListProblem, Listing, Prompt, PromptArgument,
    PromptResult, Resource, ResourceContents, ResourceTemplate, Tool,
};
pub use version::{Era, ProtocolVersion, UnknownEra};
pub use wire::MAX_MESSAGE;
