//! What a plugin brings: a tool of its own, or changes to another's definition.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::hook::ToolHandler;
use super::refused::ToolEditRefused;
use crate::server::{ListedTool, ToolParts};

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

impl ToolPatch {
    /// The definition with the changes.
    pub(super) fn apply(
        &self,
        name: &str,
        mut parts: ToolParts,
    ) -> Result<ListedTool, ToolEditRefused> {
        if let Some(text) = &self.description {
            parts.description = Some(text.clone());
        }
        if let Some(json) = &self.input_schema {
            parts.input = raw(name, "input schema", json)?;
        }
        if let Some(json) = &self.annotations {
            parts.annotations = Some(raw(name, "annotations", json)?);
        }
        checked(ListedTool::new(parts))
    }
}

/// A plugin's own tool. It goes the way of a server's: schema unchanged, arguments cleaned and
/// checked, hooks.
///
/// ```
/// use mcp_session::{BoxFuture, PluginTool, ToolResult};
/// use serde_json::value::RawValue;
///
/// fn echo(arguments: &RawValue) -> BoxFuture<'static, ToolResult> {
///     let text = arguments.get().to_owned();
///     Box::pin(async move { ToolResult::ok(text) })
/// }
/// let tool = PluginTool::new("echo", r#"{"type":"object"}"#, echo as fn(&RawValue) -> _).description("Says it again.");
/// # drop(tool);
/// ```
pub struct PluginTool {
    pub(super) name: String,
    description: Option<String>,
    input_schema: String,
    output_schema: Option<String>,
    annotations: Option<String>,
    pub(super) handler: Arc<dyn ToolHandler>,
}

impl PluginTool {
    /// A tool with its input schema as JSON text. The name is what the model sees: at most 64
    /// letters, digits, `_` and `-`, and no `mcp__` in front, which is where servers' tools live.
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

    pub(super) fn listed(&self) -> Result<ListedTool, ToolEditRefused> {
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
