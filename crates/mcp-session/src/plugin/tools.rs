//! What plugins of the tool domain edit: the tools that the model will see, by the names it will
//! see.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::candidate::{Candidate, Runner, ToolView};
use super::hook::ToolHook;
use super::own_tool::{PluginTool, ToolPatch};
use super::refused::ToolEditRefused;
use crate::settle::SettledServers;

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
        tool.shown = Arc::new(patch.apply(name, tool.shown.parts())?);
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

    /// Runs `hook` around each call of a tool; hooks of one tool run in the order in which they
    /// came.
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

fn is_own_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && !name.starts_with("mcp__")
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
