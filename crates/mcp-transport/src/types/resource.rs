//! Resources and templates of resources.

use serde_json::value::RawValue;

use super::listing::{CacheHint, Faults, Item, optional};
use super::{Fault, Object};
use crate::rpc::Reply;
use crate::wire::Member;

/// A resource as the server describes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resource {
    /// Where it is.
    pub uri: String,
    /// The server's name for it.
    pub name: Option<String>,
    /// A name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// The media type of its contents.
    pub mime_type: Option<String>,
    /// The size of its contents in bytes.
    pub size: Option<u64>,
    /// Hints about its use.
    pub annotations: Option<Box<RawValue>>,
    /// `_meta`.
    pub meta: Option<Box<RawValue>>,
    /// All other members.
    pub other: Vec<(String, Box<RawValue>)>,
}

impl Item for Resource {
    const METHOD: &'static str = "resources/list";
    const MEMBER: Member = Member::Resources;
    const CAPABILITY: &'static str = "resources";

    fn read(mut object: Object<'_>, faults: &mut Faults) -> Result<Self, Fault> {
        Ok(Self {
            uri: object.require_string("uri")?,
            name: optional(object.string("name"), faults),
            title: optional(object.string("title"), faults),
            description: optional(object.string("description"), faults),
            mime_type: optional(object.string("mimeType"), faults),
            size: object
                .take("size")
                .and_then(|size| serde_json::from_str(size.get()).ok()),
            annotations: optional(object.object("annotations"), faults),
            meta: optional(object.object("_meta"), faults),
            other: object.rest(),
        })
    }

    fn key(&self) -> &str {
        &self.uri
    }
}

/// A template of resources as the server describes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResourceTemplate {
    /// An RFC 6570 template of addresses.
    pub uri_template: String,
    /// The server's name for it.
    pub name: Option<String>,
    /// A name for people.
    pub title: Option<String>,
    /// What its resources are.
    pub description: Option<String>,
    /// The media type of their contents.
    pub mime_type: Option<String>,
    /// Hints about their use.
    pub annotations: Option<Box<RawValue>>,
    /// `_meta`.
    pub meta: Option<Box<RawValue>>,
    /// All other members.
    pub other: Vec<(String, Box<RawValue>)>,
}

impl Item for ResourceTemplate {
    const METHOD: &'static str = "resources/templates/list";
    const MEMBER: Member = Member::ResourceTemplates;
    const CAPABILITY: &'static str = "resources";

    fn read(mut object: Object<'_>, faults: &mut Faults) -> Result<Self, Fault> {
        Ok(Self {
            uri_template: object.require_string("uriTemplate")?,
            name: optional(object.string("name"), faults),
            title: optional(object.string("title"), faults),
            description: optional(object.string("description"), faults),
            mime_type: optional(object.string("mimeType"), faults),
            annotations: optional(object.object("annotations"), faults),
            meta: optional(object.object("_meta"), faults),
            other: object.rest(),
        })
    }

    fn key(&self) -> &str {
        &self.uri_template
    }
}

/// The contents of a resource, as sent.
#[derive(Clone, Debug)]
pub struct ResourceContents {
    pub(crate) reply: Reply,
    pub(crate) cache: Option<CacheHint>,
}

impl ResourceContents {
    /// Each part: an object with `uri`, `mimeType`, and `text` or `blob`.
    pub fn contents(&self) -> Vec<&RawValue> {
        serde_json::from_str(self.reply.member(Member::Contents).unwrap_or("[]"))
            .unwrap_or_default()
    }

    /// How long they hold, as the server says.
    pub fn cache(&self) -> Option<CacheHint> {
        self.cache
    }

    /// The JSON text of the whole result.
    pub fn raw(&self) -> &str {
        self.reply.raw()
    }
}
