//! One tool as its server lists it, and what becomes of it: for people, hidden tools included.

use std::sync::Arc;

use mcp_config::{Exposure, ServerEntry};
use mcp_naming::{Derivation, NameTable};
use mcp_schema::Coverage;
use serde_json::value::RawValue;

use crate::server::ListedTool;

/// A listed tool, whether the model sees it or not. Cloning it is cheap.
///
/// ```
/// # fn show(session: mcp_session::Session) {
/// for tool in session.tools() {
///     println!("{} of {}: {}", tool.raw_name(), tool.server(), tool.exposure());
/// }
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ToolStatus {
    server: Arc<str>,
    tool: Arc<ListedTool>,
    exposure: Exposure,
    rule: Option<Box<str>>,
    name: Option<Box<str>>,
    derivation: Option<Derivation>,
}

impl ToolStatus {
    pub(crate) fn new(
        server: &Arc<str>,
        entry: &ServerEntry,
        tool: &Arc<ListedTool>,
        names: &NameTable,
    ) -> ToolStatus {
        let exposure = entry.exposure_of(&tool.raw_name);
        let rules = entry.tool_exposure();
        let rule = rules.and_then(|rules| rules.rule_for(&tool.raw_name));
        let shown = exposure == Exposure::Direct && tool.input.withheld().is_none();
        let name = names.get(server, &tool.raw_name).filter(|_| shown);
        ToolStatus {
            server: Arc::clone(server),
            exposure,
            rule: rule.map(|(rule, _)| rule.into()),
            derivation: name.and_then(|_| names.derivation(server, &tool.raw_name)),
            name: name.map(|name| name.as_str().into()),
            tool: Arc::clone(tool),
        }
    }

    /// Its server's name in the configuration.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The name that its server gave it.
    pub fn raw_name(&self) -> &str {
        &self.tool.raw_name
    }

    /// The name that the model sees, if it sees the tool. A plugin of the tool domain may still have
    /// taken it away.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// How that name came about.
    pub fn derivation(&self) -> Option<Derivation> {
        self.derivation
    }

    /// What the configuration says of it.
    pub fn exposure(&self) -> Exposure {
        self.exposure
    }

    /// The name or pattern of `toolExposure` that decides; without one, the server's own `exposure`
    /// does.
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    /// Why it is withheld though the configuration would show it.
    pub fn withheld(&self) -> Option<String> {
        self.tool.input.withheld().map(ToString::to_string)
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

    /// How much of that schema is checked. This compiles it.
    pub fn coverage(&self) -> Coverage {
        self.tool.input.coverage()
    }

    /// The schema of its structured content, byte for byte as it came.
    pub fn output_schema(&self) -> Option<&RawValue> {
        self.tool.output.as_ref().map(mcp_schema::ToolSchema::raw)
    }

    /// Its annotations, as they came.
    pub fn annotations(&self) -> Option<&RawValue> {
        self.tool.annotations.as_deref()
    }

    /// What a person should know about its schemas. This compiles them.
    pub fn schema_notes(&self) -> Vec<String> {
        self.tool.schema_notes()
    }
}
