//! A tool on its way into the catalogue, and how a plugin sees it.

use std::sync::Arc;

use mcp_config::ServerEntry;
use serde_json::value::RawValue;

use super::hook::{ToolHandler, ToolHook};
use crate::server::{ListedTool, Shared};

/// A tool on its way into the catalogue.
#[derive(Clone)]
pub(crate) struct Candidate {
    /// As the model will see it.
    pub(crate) shown: Arc<ListedTool>,
    pub(crate) runner: Runner,
    pub(crate) hooks: Vec<Arc<dyn ToolHook>>,
}

/// What runs a tool.
#[derive(Clone)]
pub(crate) enum Runner {
    Server {
        server: Arc<Shared>,
        entry: Arc<ServerEntry>,
        /// As the server listed it when the exchange was frozen.
        listed: Arc<ListedTool>,
    },
    Plugin {
        plugin: Arc<str>,
        handler: Arc<dyn ToolHandler>,
    },
}

/// A tool in the bucket.
#[derive(Clone, Copy, Debug)]
pub struct ToolView<'a> {
    /// The name that the model sees.
    pub name: &'a str,
    /// The server; absent for a plugin's own tool.
    pub server: Option<&'a str>,
    /// The tool's own name.
    pub raw_name: &'a str,
    /// Its description.
    pub description: Option<&'a str>,
    /// Its input schema.
    pub input_schema: &'a RawValue,
    /// Its annotations.
    pub annotations: Option<&'a RawValue>,
}

impl Candidate {
    pub(super) fn view<'a>(&'a self, name: &'a str) -> ToolView<'a> {
        ToolView {
            name,
            server: self.server(),
            raw_name: &self.shown.raw_name,
            description: self.shown.description.as_deref(),
            input_schema: self.shown.input.raw(),
            annotations: self.shown.annotations.as_deref(),
        }
    }

    pub(crate) fn server(&self) -> Option<&str> {
        match &self.runner {
            Runner::Server { server, .. } => Some(&server.name),
            Runner::Plugin { .. } => None,
        }
    }
}
