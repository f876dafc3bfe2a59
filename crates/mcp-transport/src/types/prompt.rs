//! Prompts and what they expand to.

use serde_json::value::RawValue;

use super::listing::{Faults, Item, optional};
use super::{Fault, Object};
use crate::rpc::Reply;
use crate::wire::{Member, kind_of};

/// A prompt as the server describes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Prompt {
    /// The server's name for it.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// What it can be given.
    pub arguments: Vec<PromptArgument>,
    /// `_meta`.
    pub meta: Option<Box<RawValue>>,
    /// All other members.
    pub other: Vec<(String, Box<RawValue>)>,
}

/// Something that a prompt can be given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Whether it has to be given.
    pub required: bool,
}

impl Item for Prompt {
    const METHOD: &'static str = "prompts/list";
    const MEMBER: Member = Member::Prompts;
    const CAPABILITY: &'static str = "prompts";

    fn read(mut object: Object<'_>, faults: &mut Faults) -> Result<Self, Fault> {
        Ok(Self {
            name: object.require_string("name")?,
            title: optional(object.string("title"), faults),
            description: optional(object.string("description"), faults),
            arguments: arguments(object.take("arguments"), faults),
            meta: optional(object.object("_meta"), faults),
            other: object.rest(),
        })
    }

    fn key(&self) -> &str {
        &self.name
    }
}

/// The arguments that can be understood.
fn arguments(json: Option<&RawValue>, faults: &mut Faults) -> Vec<PromptArgument> {
    let fault = |message| Fault {
        member: "arguments",
        message,
    };
    let Some(json) = json else { return Vec::new() };
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(json.get()) else {
        faults.push(fault(format!(
            "expected an array, found {}",
            kind_of(json.get())
        )));
        return Vec::new();
    };
    let read = |item: &&RawValue| -> Result<PromptArgument, String> {
        let mut object = Object::parse(item.get())?;
        let name = object
            .require_string("name")
            .map_err(|fault| format!("{} {}", fault.member, fault.message))?;
        Ok(PromptArgument {
            name,
            title: object.string("title").unwrap_or_default(),
            description: object.string("description").unwrap_or_default(),
            required: object
                .take("required")
                .is_some_and(|value| value.get() == "true"),
        })
    };
    let mut arguments = Vec::with_capacity(items.len());
    for item in &items {
        match read(item) {
            Ok(argument) => arguments.push(argument),
            Err(message) => faults.push(fault(message)),
        }
    }
    arguments
}

/// What a prompt expands to, as sent.
#[derive(Clone, Debug)]
pub struct PromptResult {
    pub(crate) reply: Reply,
}

impl PromptResult {
    /// What the prompt is for.
    pub fn description(&self) -> Option<String> {
        self.reply.string(Member::Description)
    }

    /// Each message: an object with `role` and `content`.
    pub fn messages(&self) -> Vec<&RawValue> {
        serde_json::from_str(self.reply.member(Member::Messages).unwrap_or("[]"))
            .unwrap_or_default()
    }

    /// The JSON text of the whole result.
    pub fn raw(&self) -> &str {
        self.reply.raw()
    }
}
