//! What plugins of the tool domain edit: the tools that the model will see, by the names it will see.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_config::ServerEntry;
use serde_json::value::RawValue;
use thiserror::Error;

use super::hook::{ToolHandler, ToolHook};
use crate::server::{ListedTool, Shared, ToolParts};
use crate::settle::SettledServers;

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

/// The tools of the exchange, open for edits. The servers behind them are settled: they can be read
/// here and not written.
pub struct ToolBucket<'a> {
    pub(crate) tools: BTreeMap<Arc<str>, Candidate>,
    pub(crate) settled: &'a SettledServers,
    /// The plugin that edits now.
    pub(crate) plugin: Arc<str>,
}

impl std::fmt::Debug for ToolBucket<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolBucket")
            .field("tools", &self.tools.keys())
            .finish_non_exhaustive()
    }
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

/// What to change of a tool's definition; what is not given stays.
#[derive(Clone, Debug, Default)]
pub struct ToolPatch {
    description: Option<String>,
    input_schema: Option<String>,
    annotations: Option<String>,
}

impl ToolPatch {
    /// Changes nothing yet.
    pub fn new() -> ToolPatch {
        ToolPatch::default()
    }

    /// Another description.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> ToolPatch {
        self.description = Some(text.into());
        self
    }

    /// Another input schema, as JSON text.
    #[must_use]
    pub fn input_schema(mut self, json: impl Into<String>) -> ToolPatch {
        self.input_schema = Some(json.into());
        self
    }

    /// Other annotations, as JSON text.
    #[must_use]
    pub fn annotations(mut self, json: impl Into<String>) -> ToolPatch {
        self.annotations = Some(json.into());
        self
    }
}

/// A plugin's own tool. It goes the way of a server's: schema unchanged, arguments cleaned and checked, hooks.
pub struct PluginTool {
    name: String,
    description: Option<String>,
    input_schema: String,
    output_schema: Option<String>,
    annotations: Option<String>,
    handler: Arc<dyn ToolHandler>,
}

impl PluginTool {
    /// A tool with its input schema as JSON text. The name is what the model sees: at most 64 letters,
    /// digits, `_` and `-`, and no `mcp__` in front, which is where servers' tools live.
    pub fn new(
        name: impl Into<String>,
        input_schema: impl Into<String>,
        handler: impl ToolHandler + 'static,
    ) -> PluginTool {
        PluginTool {
            name: name.into(),
            description: None,
            input_schema: input_schema.into(),
            output_schema: None,
            annotations: None,
            handler: Arc::new(handler),
        }
    }

    /// What it does.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> PluginTool {
        self.description = Some(text.into());
        self
    }

    /// The schema of its structured content, as JSON text.
    #[must_use]
    pub fn output_schema(mut self, json: impl Into<String>) -> PluginTool {
        self.output_schema = Some(json.into());
        self
    }

    /// Its annotations, as JSON text.
    #[must_use]
    pub fn annotations(mut self, json: impl Into<String>) -> PluginTool {
        self.annotations = Some(json.into());
        self
    }

    fn listed(&self) -> Result<ListedTool, ToolEditRefused> {
        let text =
            |what, json: Option<&String>| json.map(|json| raw(&self.name, what, json)).transpose();
        let parts = ToolParts {
            raw_name: self.name.clone(),
            title: None,
            description: self.description.clone(),
            input: raw(&self.name, "input schema", &self.input_schema)?,
            output: text("output schema", self.output_schema.as_ref())?,
            annotations: text("annotations", self.annotations.as_ref())?,
        };
        checked(ListedTool::new(parts))
    }
}

/// Why an edit of the tools was refused; the bucket is as it was.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ToolEditRefused {
    /// No tool has this name.
    #[error("there is no tool \"{name}\" to edit")]
    UnknownTool {
        /// The name that was given.
        name: String,
    },
    /// Another tool has this name.
    #[error("a tool named \"{name}\" exists already; override it instead")]
    NameTaken {
        /// The name that was given.
        name: String,
    },
    /// The name is none for a plugin's own tool.
    #[error(
        "\"{name}\" is no name for a plugin's tool: at most 64 letters, digits, \"_\" and \"-\", without \"mcp__\" in front"
    )]
    InvalidName {
        /// The name that was given.
        name: String,
    },
    /// A part of the definition is no JSON.
    #[error("the {what} of tool \"{name}\" is not valid JSON")]
    InvalidJson {
        /// The tool.
        name: String,
        /// Which part.
        what: &'static str,
        /// What the parser says.
        source: serde_json::Error,
    },
    /// The schema can never accept an object, so nobody could call the tool.
    #[error("the input schema of tool \"{name}\" cannot be used: {reason}")]
    UnusableSchema {
        /// The tool.
        name: String,
        /// Why not.
        reason: String,
    },
}

impl ToolBucket<'_> {
    /// The tools, in the order in which the model will see them.
    pub fn iter(&self) -> impl Iterator<Item = ToolView<'_>> {
        self.tools.iter().map(|(name, tool)| tool.view(name))
    }

    /// One tool.
    pub fn get(&self, name: &str) -> Option<ToolView<'_>> {
        self.tools
            .get_key_value(name)
            .map(|(name, tool)| tool.view(name))
    }

    /// The servers of the exchange.
    pub fn settled(&self) -> &SettledServers {
        self.settled
    }

    /// Changes parts of a tool's definition. The server still runs it.
    pub fn patch(&mut self, name: &str, patch: &ToolPatch) -> Result<(), ToolEditRefused> {
        let tool = known(&mut self.tools, name)?;
        let mut parts = tool.shown.parts();
        if let Some(text) = &patch.description {
            parts.description = Some(text.clone());
        }
        if let Some(json) = &patch.input_schema {
            parts.input = raw(name, "input schema", json)?;
        }
        if let Some(json) = &patch.annotations {
            parts.annotations = Some(raw(name, "annotations", json)?);
        }
        tool.shown = Arc::new(checked(ListedTool::new(parts))?);
        Ok(())
    }

    /// Adds a tool of the plugin.
    pub fn add(&mut self, tool: PluginTool) -> Result<(), ToolEditRefused> {
        let name = tool.name.as_str();
        if !is_own_name(name) {
            return Err(ToolEditRefused::InvalidName {
                name: name.to_owned(),
            });
        }
        if self.tools.contains_key(name) {
            return Err(ToolEditRefused::NameTaken {
                name: name.to_owned(),
            });
        }
        let candidate = self.own(&tool, Vec::new())?;
        self.tools.insert(Arc::from(tool.name), candidate);
        Ok(())
    }

    /// Puts a tool of the plugin in the place of another, under the other's name; its hooks stay.
    pub fn replace(&mut self, name: &str, tool: &PluginTool) -> Result<(), ToolEditRefused> {
        let hooks = known(&mut self.tools, name)?.hooks.clone();
        let candidate = self.own(tool, hooks)?;
        *known(&mut self.tools, name)? = candidate;
        Ok(())
    }

    /// Takes a tool away from the model.
    pub fn remove(&mut self, name: &str) -> Result<(), ToolEditRefused> {
        let removed = self.tools.remove(name).map(drop);
        removed.ok_or_else(|| ToolEditRefused::UnknownTool {
            name: name.to_owned(),
        })
    }

    /// Runs `hook` around each call of a tool; hooks of one tool run in the order in which they came.
    pub fn hook(&mut self, name: &str, hook: Arc<dyn ToolHook>) -> Result<(), ToolEditRefused> {
        known(&mut self.tools, name)?.hooks.push(hook);
        Ok(())
    }

    fn own(
        &self,
        tool: &PluginTool,
        hooks: Vec<Arc<dyn ToolHook>>,
    ) -> Result<Candidate, ToolEditRefused> {
        let runner = Runner::Plugin {
            plugin: Arc::clone(&self.plugin),
            handler: Arc::clone(&tool.handler),
        };
        Ok(Candidate {
            shown: Arc::new(tool.listed()?),
            runner,
            hooks,
        })
    }
}

impl Candidate {
    fn view<'a>(&'a self, name: &'a str) -> ToolView<'a> {
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

fn known<'a>(
    tools: &'a mut BTreeMap<Arc<str>, Candidate>,
    name: &str,
) -> Result<&'a mut Candidate, ToolEditRefused> {
    tools
        .get_mut(name)
        .ok_or_else(|| ToolEditRefused::UnknownTool {
            name: name.to_owned(),
        })
}

fn raw(name: &str, what: &'static str, json: &str) -> Result<Box<RawValue>, ToolEditRefused> {
    RawValue::from_string(json.to_owned()).map_err(|source| ToolEditRefused::InvalidJson {
        name: name.to_owned(),
        what,
        source,
    })
}

fn checked(tool: ListedTool) -> Result<ListedTool, ToolEditRefused> {
    match tool.input.withheld() {
        Some(reason) => {
            let (name, reason) = (tool.raw_name.to_string(), reason.to_string());
            Err(ToolEditRefused::UnusableSchema { name, reason })
        }
        None => Ok(tool),
    }
}

fn is_own_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && !name.starts_with("mcp__")
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
