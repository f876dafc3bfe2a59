//! Plugins given as data, as the session takes them.

use std::sync::{Arc, Mutex, PoisonError};

use mcp_session::{
    BoxFuture, ContentPart, HookedCall, McpPlugin, Plugin, PluginError, PluginTool, PromptBucket,
    PromptPlugin, Refusal, ServerBucket, ToolBucket, ToolDefinition, ToolHook, ToolPatch,
    ToolPlugin, ToolResult,
};

use crate::artifact::Json;
use crate::chain::chain;
use crate::sandbox::FIXTURE_COMMAND;
use crate::scenario::{Edits, JsonText, OwnTool, PluginScript, PromptEdit, ServerEdit, ToolEdit};

/// What plugins were refused, in order; emptied for each exchange.
#[derive(Debug, Clone, Default)]
pub(super) struct Refusals(Arc<Mutex<Vec<Json>>>);

impl Refusals {
    /// What was refused since the last look.
    pub(super) fn take(&self) -> Vec<Json> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note<E: std::error::Error>(&self, plugin: &str, edit: &str, done: Result<(), E>) {
        if let Err(error) = done {
            self.add(plugin, edit, chain(&error));
        }
    }

    fn add(&self, plugin: &str, edit: &str, reason: String) {
        let entry = [
            ("plugin", plugin.to_owned()),
            ("edit", edit.to_owned()),
            ("refused", reason),
        ];
        let entry = Json::object(entry.map(|(name, text)| (name, Json::from(text))));
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(entry);
    }
}

/// The plugin of a script.
pub(super) fn plugin(script: &PluginScript, refusals: &Refusals) -> Plugin {
    let refusals = refusals.clone();
    match script.clone() {
        PluginScript::Mcp(edits) => Plugin::mcp(Scripted { edits, refusals }),
        PluginScript::Tool(edits) => Plugin::tool(Scripted { edits, refusals }),
        PluginScript::Prompt(edits) => Plugin::prompt(Scripted { edits, refusals }),
    }
}

struct Scripted<E> {
    edits: Edits<E>,
    refusals: Refusals,
}

impl<E> Scripted<E> {
    fn note<R: std::error::Error>(&self, edit: &str, done: Result<(), R>) {
        self.refusals.note(&self.edits.name, edit, done);
    }
}

impl McpPlugin for Scripted<ServerEdit> {
    fn name(&self) -> &str {
        &self.edits.name
    }

    fn edit(&self, bucket: &mut ServerBucket) -> Result<(), PluginError> {
        for edit in &self.edits.edits {
            match edit {
                ServerEdit::Set(it) => self.note("set", bucket.set(&it.server, &filled(&it.entry))),
                ServerEdit::Update(it) => {
                    self.note("update", bucket.update(&it.server, &filled(&it.entry)));
                }
                ServerEdit::Remove(server) => self.note("remove", bucket.remove(server)),
                ServerEdit::Fail(reason) => return Err(reason.as_str().into()),
            }
        }
        Ok(())
    }
}

/// An entry with the fixture server's command, as in files.
fn filled(entry: &JsonText) -> String {
    entry.as_str().replace("$FIXTURE", FIXTURE_COMMAND)
}

impl ToolPlugin for Scripted<ToolEdit> {
    fn name(&self) -> &str {
        &self.edits.name
    }

    fn edit(&self, bucket: &mut ToolBucket<'_>) -> Result<(), PluginError> {
        for edit in &self.edits.edits {
            match edit {
                ToolEdit::Patch(it) => {
                    let patch = patch(
                        it.description.as_ref(),
                        it.input_schema.as_ref(),
                        it.annotations.as_ref(),
                    );
                    self.note("patch", bucket.patch(&it.tool, &patch));
                }
                ToolEdit::Add(tool) => self.note("add", bucket.add(own(tool))),
                ToolEdit::Replace(it) => {
                    self.note("replace", bucket.replace(&it.tool, &own(&it.with)));
                }
                ToolEdit::Remove(tool) => self.note("remove", bucket.remove(tool)),
                ToolEdit::Refuse(it) => {
                    let hook = Refuse(it.text.clone());
                    self.note("refuse", bucket.hook(&it.tool, Arc::new(hook)));
                }
                ToolEdit::Append(it) => {
                    let hook = Append(it.text.clone());
                    self.note("append", bucket.hook(&it.tool, Arc::new(hook)));
                }
                // The bucket's type gives the tool domain no way to do it, so there is nothing to try.
                ToolEdit::SetServer(it) => self.refusals.add(
                    &self.edits.name,
                    "setServer",
                    format!(
                        "server {:?} is settled: the tool domain can only read it",
                        it.server
                    ),
                ),
                ToolEdit::Fail(reason) => return Err(reason.as_str().into()),
            }
        }
        Ok(())
    }
}

impl PromptPlugin for Scripted<PromptEdit> {
    fn name(&self) -> &str {
        &self.edits.name
    }

    fn edit(&self, bucket: &mut PromptBucket<'_>) -> Result<(), PluginError> {
        for edit in &self.edits.edits {
            match edit {
                PromptEdit::Set(text) => bucket.set(text.as_str()),
                PromptEdit::Extend(text) => bucket.extend(text),
                PromptEdit::ListTools => {
                    let names: Vec<&str> =
                        bucket.tools().iter().map(ToolDefinition::name).collect();
                    let list = names.join(", ");
                    bucket.extend(&list);
                }
                PromptEdit::Fail(reason) => return Err(reason.as_str().into()),
            }
        }
        Ok(())
    }
}

fn patch(
    description: Option<&String>,
    input_schema: Option<&JsonText>,
    annotations: Option<&JsonText>,
) -> ToolPatch {
    let mut patch = ToolPatch::new();
    if let Some(text) = description {
        patch = patch.description(text.as_str());
    }
    if let Some(json) = input_schema {
        patch = patch.input_schema(json.as_str());
    }
    if let Some(json) = annotations {
        patch = patch.annotations(json.as_str());
    }
    patch
}

fn own(tool: &OwnTool) -> PluginTool {
    let answer = tool.answer.clone();
    let handler = move |_: &serde_json::value::RawValue| -> BoxFuture<'static, ToolResult> {
        let answer = answer.clone();
        Box::pin(async move { ToolResult::ok(answer) })
    };
    let own = PluginTool::new(tool.name.as_str(), tool.input_schema.as_str(), handler);
    match &tool.description {
        Some(text) => own.description(text.as_str()),
        None => own,
    }
}

/// Refuses every call with a reason.
struct Refuse(String);

impl ToolHook for Refuse {
    fn before<'a>(&'a self, _: HookedCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(async { Err(Refusal::new(self.0.as_str())) })
    }
}

/// Adds a text to every result.
struct Append(String);

impl ToolHook for Append {
    fn after<'a>(&'a self, _: HookedCall<'a>, result: &'a mut ToolResult) -> BoxFuture<'a, ()> {
        Box::pin(async {
            result.content.push(ContentPart::Text {
                text: self.0.clone(),
            });
        })
    }
}
