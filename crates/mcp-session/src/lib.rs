#![doc = include_str!("../README.md")]

mod catalogue;
mod command;
mod connect;
mod convert;
mod exchange;
mod plugin;
mod reconcile;
pub mod result;
mod server;
mod session;
mod settle;
mod status;

pub use catalogue::{ToolDefinition, ToolSource};
pub use command::Commands;
pub use connect::{
    BoxFuture, ConnectFailure, ConnectRequest, Connected, Connector, SystemConnector, Target,
};
pub use exchange::{CallOptions, Exchange, OutputPolicy};
pub use plugin::{
    Domain, HookedCall, McpPlugin, Plugin, PluginError, PluginFailures, PluginTool, PromptBucket,
    PromptPlugin, Refusal, ToolBucket, ToolEditRefused, ToolHandler, ToolHook, ToolPatch,
    ToolPlugin, ToolView,
};
pub use result::{CallFailure, ContentPart, ToolResult};
pub use server::{FailureKind, ServerReport, ServerState, Shutdown, Stage, StageTime};
pub use session::{
    BeginError, INITIAL_WAIT, Session, SessionBuilder, SessionReport, UnknownServer,
};
pub use settle::{EditRefused, ServerBucket, SettledServers};
pub use status::{ServerStatus, StatusChanges, ToolStatus, render};
