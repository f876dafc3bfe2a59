//! Plugins given as data: the edits that each makes in its domain, at the beginning of every exchange.

use schemars::JsonSchema;
use serde::Deserialize;

use super::JsonText;

/// A plugin of one domain.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PluginScript {
    /// Edits servers before they are settled.
    Mcp(Edits<ServerEdit>),
    /// Edits the tools that the model is given.
    Tool(Edits<ToolEdit>),
    /// Edits the text of the prompt.
    Prompt(Edits<PromptEdit>),
}

impl PluginScript {
    /// The entries of servers that it writes.
    pub(super) fn entries(&self) -> Vec<&str> {
        let PluginScript::Mcp(script) = self else {
            return Vec::new();
        };
        let entries = script.edits.iter().filter_map(|edit| match edit {
            ServerEdit::Set(it) | ServerEdit::Update(it) => Some(it.entry.as_str()),
            ServerEdit::Remove(_) | ServerEdit::Fail(_) => None,
        });
        entries.collect()
    }
}

/// A plugin's edits, in order. One that is refused is shown in the artifact, and the next one follows.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edits<E> {
    /// The plugin's name.
    pub name: String,
    /// What it does.
    pub edits: Vec<E>,
}

/// An edit of the servers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ServerEdit {
    /// Adds or replaces an entry.
    Set(ServerEntryEdit),
    /// Changes members of an entry; `null` removes one.
    Update(ServerEntryEdit),
    /// Removes a server.
    Remove(String),
    /// Fails with this reason.
    Fail(String),
}

/// A server and its entry, or members of it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServerEntryEdit {
    /// The server's name.
    pub server: String,
    /// As in `mcp.json`.
    pub entry: JsonText,
}

/// An edit of the tools, by their exposed names.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ToolEdit {
    /// Changes what the model reads about a tool.
    Patch(ToolPatchEdit),
    /// Adds a tool of the plugin's own.
    Add(OwnTool),
    /// Puts a tool of the plugin's own in the place of another.
    Replace(ReplaceTool),
    /// Takes a tool away.
    Remove(String),
    /// Refuses every call of a tool before it is sent.
    Refuse(HookEdit),
    /// Adds a text to every result of a tool.
    Append(HookEdit),
    /// Tries to change a server, which the tool domain cannot.
    SetServer(ServerEntryEdit),
    /// Fails with this reason.
    Fail(String),
}

/// What the model reads about a tool; what is left out stays.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolPatchEdit {
    /// The tool.
    pub tool: String,
    /// Its description.
    pub description: Option<String>,
    /// Its input schema.
    pub input_schema: Option<JsonText>,
    /// Its annotations.
    pub annotations: Option<JsonText>,
}

/// A tool of a plugin, which always gives the same answer.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OwnTool {
    /// Its name, as the model sees it.
    pub name: String,
    /// What it does.
    pub description: Option<String>,
    /// Its input schema.
    pub input_schema: JsonText,
    /// The text that it answers.
    pub answer: String,
}

/// A tool that takes the place of another.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReplaceTool {
    /// The tool whose place is taken.
    pub tool: String,
    /// The tool that takes it.
    pub with: OwnTool,
}

/// What a hook says about a tool.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HookEdit {
    /// The tool.
    pub tool: String,
    /// The reason of a refusal, or the text that is added.
    pub text: String,
}

/// An edit of the prompt's text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PromptEdit {
    /// Replaces it.
    Set(String),
    /// Adds to it.
    Extend(String),
    /// Adds the names of all tools.
    ListTools,
    /// Fails with this reason.
    Fail(String),
}
