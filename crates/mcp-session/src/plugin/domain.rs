//! The three domains and their plugins.

use std::fmt;
use std::sync::Arc;

use super::prompt::PromptBucket;
use super::tools::ToolBucket;
use crate::settle::ServerBucket;

/// Why a plugin failed: whatever error it met.
pub type PluginError = Box<dyn std::error::Error + Send + Sync>;

/// What a plugin edits. Domains run in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Domain {
    /// The configured servers.
    Mcp,
    /// The tools that the model sees.
    Tool,
    /// The text beside them.
    Prompt,
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Domain::Mcp => "mcp",
            Domain::Tool => "tool",
            Domain::Prompt => "prompt",
        })
    }
}

/// Edits the servers before they are settled.
///
/// ```
/// use mcp_session::{McpPlugin, PluginError, ServerBucket};
///
/// /// Switches a server off for this host.
/// struct WithoutSearch;
///
/// impl McpPlugin for WithoutSearch {
///     fn name(&self) -> &str {
///         "without-search"
///     }
///     fn edit(&self, servers: &mut ServerBucket) -> Result<(), PluginError> {
///         if servers.get("search").is_some() {
///             servers.update("search", r#"{"enabled": false}"#)?;
///         }
///         Ok(())
///     }
/// }
/// ```
pub trait McpPlugin: Send + Sync {
    /// How the plugin is called in problems and errors.
    fn name(&self) -> &str;
    /// Runs at the beginning of each exchange, on the servers as the layers have them.
    fn edit(&self, servers: &mut ServerBucket) -> Result<(), PluginError>;
}

/// Edits the tools before the exchange is frozen.
pub trait ToolPlugin: Send + Sync {
    /// How the plugin is called in problems and errors.
    fn name(&self) -> &str;
    /// Runs at the beginning of each exchange, on the tools as the servers have them.
    fn edit(&self, tools: &mut ToolBucket<'_>) -> Result<(), PluginError>;
}

/// Edits the exchange's prompt text.
pub trait PromptPlugin: Send + Sync {
    /// How the plugin is called in problems and errors.
    fn name(&self) -> &str;
    /// Runs at the beginning of each exchange, once its tools are known.
    fn edit(&self, prompt: &mut PromptBucket<'_>) -> Result<(), PluginError>;
}

/// A plugin of any domain.
#[derive(Clone)]
#[non_exhaustive]
pub enum Plugin {
    /// Of the mcp domain.
    Mcp(Arc<dyn McpPlugin>),
    /// Of the tool domain.
    Tool(Arc<dyn ToolPlugin>),
    /// Of the prompt domain.
    Prompt(Arc<dyn PromptPlugin>),
}

impl Plugin {
    /// A plugin of the mcp domain.
    pub fn mcp(plugin: impl McpPlugin + 'static) -> Plugin {
        Plugin::Mcp(Arc::new(plugin))
    }

    /// A plugin of the tool domain.
    pub fn tool(plugin: impl ToolPlugin + 'static) -> Plugin {
        Plugin::Tool(Arc::new(plugin))
    }

    /// A plugin of the prompt domain.
    pub fn prompt(plugin: impl PromptPlugin + 'static) -> Plugin {
        Plugin::Prompt(Arc::new(plugin))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Plugin::Mcp(plugin) => plugin.name(),
            Plugin::Tool(plugin) => plugin.name(),
            Plugin::Prompt(plugin) => plugin.name(),
        }
    }

    /// Its domain.
    pub fn domain(&self) -> Domain {
        match self {
            Plugin::Mcp(_) => Domain::Mcp,
            Plugin::Tool(_) => Domain::Tool,
            Plugin::Prompt(_) => Domain::Prompt,
        }
    }
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin")
            .field("name", &self.name())
            .field("domain", &self.domain())
            .finish()
    }
}

/// What a failing plugin means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PluginFailures {
    /// The exchange does not begin; the error names the plugin.
    #[default]
    Fail,
    /// The plugin's edits are left out and a problem names it.
    Skip,
}
