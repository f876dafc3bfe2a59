//! The scenario language: what one file may say, how it is read with positions, and the JSON Schema that
//! editors use. Playing a scenario is `play`'s.

mod check;
mod client;
mod event;
mod exchange;
mod file;
mod json_schema;
mod node;
mod place;
mod plugin;
mod read;
mod text;

pub use client::{
    ClientCall, ClientMove, ClientStart, CompleteMove, Connect, ListKind, PromptMove,
};
pub use event::{Await, AwaitJournal, AwaitState, Event, Kill, Signal};
pub use exchange::{ExchangeScript, ExpectCall, ExpectExchange, ModelCall, Move, Start};
pub use file::{CommandLimits, ImageInput, OutputSchemas, PluginFailure, Scenario, SessionOptions};
pub use json_schema::json_schema;
pub use plugin::{
    Edits, HookEdit, OwnTool, PluginScript, PromptEdit, ReplaceTool, ServerEdit, ServerEntryEdit,
    ToolEdit, ToolPatchEdit,
};
pub use read::{ScenarioError, read};
pub use text::{JsonText, Laid};
