//! A tool as the server describes it.

use serde_json::value::RawValue;

use super::listing::{Faults, Item, optional};
use super::{Fault, Object};
use crate::wire::Member;

/// A tool as the server describes it; its schemas are the server's own bytes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tool {
    /// The server's name for it.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The schema of its arguments.
    pub input_schema: Box<RawValue>,
    /// The schema of its structured results.
    pub output_schema: Option<Box<RawValue>>,
    /// Hints about its behaviour.
    pub annotations: Option<Box<RawValue>>,
    /// `_meta`.
    pub meta: Option<Box<RawValue>>,
    /// All other members.
    pub other: Vec<(String, Box<RawValue>)>,
}

impl Tool {
    /// A tool of this name and schema, and nothing else.
    pub fn new(name: impl Into<String>, input_schema: Box<RawValue>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            input_schema,
            output_schema: None,
            annotations: None,
            meta: None,
            other: Vec::new(),
        }
    }
}

impl Item for Tool {
    const METHOD: &'static str = "tools/list";
    const MEMBER: Member = Member::Tools;
    const CAPABILITY: &'static str = "tools";

    fn read(mut object: Object<'_>, faults: &mut Faults) -> Result<Self, Fault> {
        let name = object.require_string("name")?;
        if name.is_empty() {
            return Err(Fault {
                member: "name",
                message: "empty".to_owned(),
            });
        }
        let input_schema = object
            .require_object("inputSchema")
            .map_err(|fault| Fault {
                message: format!("{} (in the tool {name:?})", fault.message),
                ..fault
            })?;
        Ok(Self {
            name,
            input_schema,
            title: optional(object.string("title"), faults),
            description: optional(object.string("description"), faults),
            output_schema: optional(object.object("outputSchema"), faults),
            annotations: optional(object.object("annotations"), faults),
            meta: optional(object.object("_meta"), faults),
            other: object.rest(),
        })
    }

    fn key(&self) -> &str {
        &self.name
    }
}
