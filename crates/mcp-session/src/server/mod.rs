//! One configured server at run time: its owner task, the snapshot that everyone else reads, and
//! what the task does.

mod attempt;
mod failure;
mod failure_kind;
mod lifecycle;
mod listing;
mod message;
mod owner;
mod refresh;
mod retire;
mod shared;
mod stages;
mod state;

pub(crate) use attempt::{ServerSpec, Services, UrlGates};
pub(crate) use failure::{Failure, chain};
pub use failure_kind::FailureKind;
pub(crate) use listing::{ListedTool, ToolList, ToolParts};
pub(crate) use message::{Begin, Command};
pub(crate) use owner::spawn;
pub use retire::{ServerReport, Shutdown};
pub(crate) use shared::{Shared, View};
pub use stages::{Stage, StageTime};
pub use state::ServerState;
