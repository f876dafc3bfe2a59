//! A tool as the model is told of it.

use std::sync::Arc;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::value::RawValue;

use crate::plugin::{Candidate, Runner};
use crate::server::ListedTool;

/// A tool of an exchange; a cheap clone. Serialized, it is
/// `{"name", "server", "rawName", "description", "inputSchema"}`, with the schema byte for byte.
#[derive(Clone, Debug)]
pub struct ToolDefinition {
    name: Arc<str>,
    source: ToolSource,
    tool: Arc<ListedTool>,
}

/// Where a tool comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolSource {
    /// From a server.
    Server {
        /// Its name in the configuration.
        server: Arc<str>,
    },
    /// From a plugin.
    Plugin {
        /// The plugin's name.
        plugin: Arc<str>,
    },
}

impl ToolDefinition {
    pub(super) fn new(name: Arc<str>, candidate: &Candidate) -> ToolDefinition {
        let source = match &candidate.runner {
            Runner::Server { server, .. } => ToolSource::Server {
                server: Arc::clone(&server.name),
            },
            Runner::Plugin { plugin, .. } => ToolSource::Plugin {
                plugin: Arc::clone(plugin),
            },
        };
        ToolDefinition {
            name,
            source,
            tool: Arc::clone(&candidate.shown),
        }
    }

    /// The name that the model calls it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it comes from.
    pub fn source(&self) -> &ToolSource {
        &self.source
    }

    /// The server it belongs to; absent for a plugin's own tool.
    pub fn server(&self) -> Option<&str> {
        match &self.source {
            ToolSource::Server { server } => Some(server),
            ToolSource::Plugin { .. } => None,
        }
    }

    /// The name that the server, or the plugin, gave it.
    pub fn raw_name(&self) -> &str {
        &self.tool.raw_name
    }

    /// A name for people.
    pub fn title(&self) -> Option<&str> {
        self.tool.title.as_deref()
    }

    /// What it does.
    pub fn description(&self) -> Option<&str> {
        self.tool.description.as_deref()
    }

    /// The schema of its arguments, byte for byte as it came.
    pub fn input_schema(&self) -> &RawValue {
        self.tool.input.raw()
    }

    /// The schema of its structured content, byte for byte as it came.
    pub fn output_schema(&self) -> Option<&RawValue> {
        self.tool.output.as_ref().map(mcp_schema::ToolSchema::raw)
    }

    /// Its annotations, as they came.
    pub fn annotations(&self) -> Option<&RawValue> {
        self.tool.annotations.as_deref()
    }

    /// SHA-256 of what the model sees beside the name.
    pub(super) fn digest(&self) -> &[u8; 32] {
        &self.tool.digest
    }
}

impl Serialize for ToolDefinition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, owner) = match &self.source {
            ToolSource::Server { server } => ("server", server),
            ToolSource::Plugin { plugin } => ("plugin", plugin),
        };
        let mut out = serializer.serialize_struct("ToolDefinition", 5)?;
        out.serialize_field("name", &*self.name)?;
        out.serialize_field(key, &**owner)?;
        out.serialize_field("rawName", self.raw_name())?;
        match self.description() {
            Some(description) => out.serialize_field("description", description)?,
            None => out.skip_field("description")?,
        }
        out.serialize_field("inputSchema", self.input_schema())?;
        out.end()
    }
}
