//! A server's tools as its newest listing says, each with its schemas ready to validate.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcp_schema::ToolSchema;
use mcp_transport::{Listing, Tool};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

/// One tool as its server, or a plugin, describes it.
#[derive(Debug)]
pub(crate) struct ListedTool {
    pub(crate) raw_name: Arc<str>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) input: ToolSchema,
    pub(crate) output: Option<ToolSchema>,
    pub(crate) annotations: Option<Box<RawValue>>,
    /// Of what the model sees beside the name, so that a catalogue's revision costs nothing per
    /// schema byte.
    pub(crate) digest: [u8; 32],
    /// Set by the first call: notes that need a compiled schema are shown from then on.
    compiled: AtomicBool,
}

/// What a tool's definition is made of.
#[derive(Clone, Debug)]
pub(crate) struct ToolParts {
    pub(crate) raw_name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) input: Box<RawValue>,
    pub(crate) output: Option<Box<RawValue>>,
    pub(crate) annotations: Option<Box<RawValue>>,
}

impl From<Tool> for ToolParts {
    fn from(tool: Tool) -> ToolParts {
        ToolParts {
            raw_name: tool.name,
            title: tool.title,
            description: tool.description,
            input: tool.input_schema,
            output: tool.output_schema,
            annotations: tool.annotations,
        }
    }
}

impl ListedTool {
    pub(crate) fn new(parts: ToolParts) -> ListedTool {
        ListedTool {
            raw_name: Arc::from(parts.raw_name),
            title: parts.title.map(String::into_boxed_str),
            digest: digest(parts.description.as_deref(), &parts.input),
            description: parts.description.map(String::into_boxed_str),
            input: ToolSchema::new(parts.input),
            output: parts.output.map(ToolSchema::new),
            annotations: parts.annotations,
            compiled: AtomicBool::new(false),
        }
    }

    /// The parts again, to make a changed tool of them.
    pub(crate) fn parts(&self) -> ToolParts {
        ToolParts {
            raw_name: self.raw_name.to_string(),
            title: self.title.as_deref().map(str::to_owned),
            description: self.description.as_deref().map(str::to_owned),
            input: self.input.raw().to_owned(),
            output: self.output.as_ref().map(|schema| schema.raw().to_owned()),
            annotations: self.annotations.clone(),
        }
    }

    pub(crate) fn mark_compiled(&self) {
        self.compiled.store(true, Ordering::Relaxed);
    }

    /// Whether the server's definition is the same, byte for byte.
    fn is(&self, tool: &Tool) -> bool {
        let text =
            |schema: &Option<ToolSchema>| schema.as_ref().map(|found| found.raw().get().to_owned());
        self.title.as_deref() == tool.title.as_deref()
            && self.description.as_deref() == tool.description.as_deref()
            && self.input.raw().get() == tool.input_schema.get()
            && text(&self.output).as_deref() == tool.output_schema.as_deref().map(RawValue::get)
            && self.annotations.as_deref().map(RawValue::get)
                == tool.annotations.as_deref().map(RawValue::get)
    }

    /// What a person should know about its schemas; only once they were compiled for a call.
    fn notes(&self) -> Vec<String> {
        if !self.compiled.load(Ordering::Relaxed) {
            return Vec::new();
        }
        self.schema_notes()
    }

    /// The same, compiling the schemas where that has not happened yet.
    pub(crate) fn schema_notes(&self) -> Vec<String> {
        let schemas = std::iter::once(("inputSchema", &self.input))
            .chain(self.output.iter().map(|schema| ("outputSchema", schema)));
        schemas
            .flat_map(|(member, schema)| schema.notes().iter().map(move |note| (member, note)))
            .map(|(member, note)| format!("tool \"{}\": {member}: {note}", self.raw_name))
            .collect()
    }
}

/// SHA-256 of the description and the schema, each with its length, so that no two pairs read
/// alike.
fn digest(description: Option<&str>, schema: &RawValue) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update([u8::from(description.is_some())]);
    for text in [description.unwrap_or_default(), schema.get()] {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    }
    hash.finalize().into()
}

/// All tools of one server.
#[derive(Debug, Default)]
pub(crate) struct ToolList {
    tools: Vec<Arc<ListedTool>>,
    by_name: HashMap<Arc<str>, usize>,
    /// What was wrong with the listing, for a person.
    problems: Vec<String>,
}

impl ToolList {
    /// The listing, which keeps each tool of `previous` that did not change, and with it what was
    /// compiled. Nothing where nothing changed.
    pub(crate) fn newer(listing: Listing<Tool>, previous: Option<&ToolList>) -> Option<ToolList> {
        let mut list = ToolList {
            problems: listing.problems.iter().map(ToString::to_string).collect(),
            ..ToolList::default()
        };
        for tool in listing.items {
            list.push(tool, previous);
        }
        let same = previous.is_some_and(|previous| list.same_as(previous));
        (!same).then_some(list)
    }

    fn push(&mut self, tool: Tool, previous: Option<&ToolList>) {
        if self.by_name.contains_key(tool.name.as_str()) {
            self.problems.push(format!(
                "tool \"{}\" is listed twice; the first one holds",
                tool.name
            ));
            return;
        }
        let kept = previous
            .and_then(|list| list.get(&tool.name))
            .filter(|known| known.is(&tool));
        let listed = kept.map_or_else(|| Arc::new(ListedTool::new(tool.into())), Arc::clone);
        self.by_name
            .insert(Arc::clone(&listed.raw_name), self.tools.len());
        self.tools.push(listed);
    }

    /// The order of a listing means nothing, so it does not make a list a new one.
    fn same_as(&self, other: &ToolList) -> bool {
        self.problems == other.problems
            && self.tools.len() == other.tools.len()
            && self.tools.iter().all(|tool| {
                other
                    .get(&tool.raw_name)
                    .is_some_and(|known| Arc::ptr_eq(known, tool))
            })
    }

    pub(crate) fn get(&self, raw_name: &str) -> Option<&Arc<ListedTool>> {
        self.by_name.get(raw_name).map(|at| &self.tools[*at])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<ListedTool>> {
        self.tools.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.tools.len()
    }

    /// Problems of the listing, and notes on the schemas that calls have used.
    pub(crate) fn notes(&self) -> Vec<String> {
        let notes = self.tools.iter().flat_map(|tool| tool.notes());
        self.problems.iter().cloned().chain(notes).collect()
    }

    pub(crate) fn problems(&self) -> &[String] {
        &self.problems
    }
}
