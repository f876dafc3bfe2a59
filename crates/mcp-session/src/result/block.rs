//! One content part of a server as parts for the model: text, image, audio, resource, link, and
//! whatever else comes.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::value::RawValue;

use super::base64;
use super::convert::ResultOptions;
use super::image;
use super::json::{each_member, text_of};
use super::part::ContentPart;
use super::size::size;

/// Text that came as a blob is delivered up to this size; base64 is never decoded beyond it.
const TEXT_BLOB_LIMIT: usize = 4 << 20;
/// A kind or media type longer than this is cut in notes; it is the server's text.
const WORD_LIMIT: usize = 80;
/// Shorter data could be met by chance elsewhere, and costs a model nothing.
const SHORTEST_DATA: usize = 12;

/// The members that any kind of part may carry, each still raw: a wrong type of one costs only that
/// one.
#[derive(Default)]
pub(super) struct Block<'a> {
    kind: Option<&'a RawValue>,
    text: Option<&'a RawValue>,
    data: Option<&'a RawValue>,
    blob: Option<&'a RawValue>,
    mime_type: Option<&'a RawValue>,
    uri: Option<&'a RawValue>,
    name: Option<&'a RawValue>,
    title: Option<&'a RawValue>,
    description: Option<&'a RawValue>,
    size: Option<&'a RawValue>,
    resource: Option<&'a RawValue>,
    annotations: Option<&'a RawValue>,
}

impl<'a> Block<'a> {
    /// The part, or nothing where the text is no object.
    pub(super) fn read(json: &'a str) -> Option<Block<'a>> {
        let mut block = Block::default();
        let is_object = each_member(json, |name, value| {
            let member = match name {
                "type" => &mut block.kind,
                "text" => &mut block.text,
                "data" => &mut block.data,
                "blob" => &mut block.blob,
                "mimeType" => &mut block.mime_type,
                "uri" => &mut block.uri,
                "name" => &mut block.name,
                "title" => &mut block.title,
                "description" => &mut block.description,
                "size" => &mut block.size,
                "resource" => &mut block.resource,
                "annotations" => &mut block.annotations,
                _ => return,
            };
            // Several servers write an absent member as null.
            *member = Some(value).filter(|value| value.get() != "null");
        });
        is_object.then_some(block)
    }

    /// What the part is, where it says so.
    pub(super) fn kind(&self) -> Option<Cow<'a, str>> {
        string(self.kind)
    }

    /// The base64 that it carries, as it is written.
    pub(super) fn base64(&self) -> Option<&'a str> {
        let embedded = self.embedded_resource();
        let resource = embedded.as_ref().unwrap_or(self);
        let blob = resource.blob.filter(|_| resource.uri.is_some());
        // Most parts are texts.
        self.data.or(blob)?;
        let data = match self.kind().as_deref() {
            Some("image" | "audio") => self.data,
            Some("resource") => blob,
            None => blob.or(self.data.filter(|_| self.mime_type.is_some())),
            Some(_) => None,
        };
        let data = data?.get().strip_prefix('"')?.strip_suffix('"')?;
        (data.len() >= SHORTEST_DATA && base64::head(data).is_some()).then_some(data)
    }

    /// Whether it is meant for the user alone. An embedded resource may say so itself, as in the
    /// specification's example (2025-11-25 server/tools §Embedded Resources).
    pub(super) fn for_user_alone(&self) -> bool {
        let audience = self
            .audience()
            .or_else(|| self.embedded_resource()?.audience());
        audience.is_some_and(|audience| audience.iter().all(|who| who == "user"))
    }

    /// Whom it is meant for. Annotations that are not well formed say nothing.
    fn audience(&self) -> Option<Vec<String>> {
        let mut audience = None;
        each_member(self.annotations?.get(), |name, value| {
            if name == "audience" {
                audience = Some(value);
            }
        });
        let audience: Vec<String> = serde_json::from_str(audience?.get()).ok()?;
        Some(audience).filter(|audience| !audience.is_empty())
    }

    /// The part for the model, and the text that may already be the structured content.
    pub(super) fn convert(&self, kind: &str, raw: &str, options: &ResultOptions) -> Converted {
        match kind {
            "text" => self.text_part(),
            "image" => note_or(self.image(self.data, "image", options)),
            "audio" => Converted::note(self.media_note("audio", self.data)),
            "resource" => self.embedded(options),
            "resource_link" => Converted::note(self.link()),
            _ => Converted::note(format!(
                "[content of the unknown type \"{}\", {}]",
                short(kind),
                size(raw.len())
            )),
        }
    }

    fn text_part(&self) -> Converted {
        match (string(self.text), self.text) {
            (Some(text), _) => Converted::body(text.into_owned()),
            (None, Some(other)) => Converted::note(other.get().to_owned()),
            (None, None) => Converted::note("[a text part without text]".to_owned()),
        }
    }

    /// A part without a `type` that holds base64 all the same, which must never reach the model as
    /// text: a resource's contents, bare or embedded, or media.
    pub(super) fn untyped_base64(&self, options: &ResultOptions) -> Option<Converted> {
        let embedded = self.embedded_resource();
        let resource = embedded.as_ref().unwrap_or(self);
        if resource.uri.is_some() && resource.blob.is_some() {
            return Some(resource.contents(options));
        }
        let media = self.data.is_some() && self.mime_type.is_some();
        media.then(|| note_or(self.image(self.data, "media", options)))
    }

    /// An image by its first bytes, whatever the server calls it; else the note that stands for it.
    fn image(
        &self,
        data: Option<&'a RawValue>,
        what: &str,
        options: &ResultOptions,
    ) -> Result<ContentPart, String> {
        let text = string(data).unwrap_or_default();
        let media_type = base64::head(&text).and_then(|head| image::media_type(&head));
        match (media_type, base64::canonical(&text)) {
            (Some(media_type), Some(data)) if options.images => Ok(ContentPart::Image {
                mime_type: media_type.to_owned(),
                data: data.into_owned(),
            }),
            (Some(media_type), Some(_)) => {
                Err(self.not_shown(what, media_type, &size(base64::decoded_len(&text))))
            }
            _ => Err(self.media_note(what, data)),
        }
    }

    /// A note with the media type and the size, which is found without decoding.
    fn media_note(&self, what: &str, data: Option<&'a RawValue>) -> String {
        let kind = self.media_type().unwrap_or(Cow::Borrowed("unknown type"));
        let text = string(data).unwrap_or_default();
        let detail = match text.len() {
            0 => "no data".to_owned(),
            _ if base64::head(&text).is_none() => {
                format!("data that is no base64, {}", size(text.len()))
            }
            _ => size(base64::decoded_len(&text)),
        };
        self.not_shown(what, short(&kind), &detail)
    }

    fn not_shown(&self, what: &str, kind: &str, detail: &str) -> String {
        let of = string(self.uri)
            .map(|uri| format!(" {uri}"))
            .unwrap_or_default();
        format!("[{what}{of}: {kind}, {detail}; not shown]")
    }

    fn media_type(&self) -> Option<Cow<'a, str>> {
        string(self.mime_type).filter(|kind| !kind.trim().is_empty())
    }

    fn embedded(&self, options: &ResultOptions) -> Converted {
        match self.embedded_resource() {
            Some(resource) => resource.contents(options),
            // Some servers write the resource's members straight into the part.
            None if self.uri.is_some() => self.contents(options),
            None => Converted::note("[an embedded resource that cannot be read]".to_owned()),
        }
    }

    fn embedded_resource(&self) -> Option<Block<'a>> {
        Block::read(self.resource?.get())
    }

    /// The contents of a resource: its text, a blob that is text or an image, or a note.
    fn contents(&self, options: &ResultOptions) -> Converted {
        // Servers that write every member leave the unused one empty.
        let has_blob = string(self.blob).is_some_and(|blob| !blob.is_empty());
        if let Some(text) = string(self.text).filter(|text| !(text.is_empty() && has_blob)) {
            return self.with_heading(&text);
        }
        if self.blob.is_none() {
            return match self.text {
                Some(other) => self.with_heading(other.get()),
                None => Converted::note(format!("{} [no content]", self.heading())),
            };
        }
        if let Some(text) = self.textual_blob() {
            return self.with_heading(&text);
        }
        note_or(self.image(self.blob, "resource", options))
    }

    /// A blob whose media type says text, if it is valid UTF-8 of a size that may be decoded.
    fn textual_blob(&self) -> Option<String> {
        let blob = string(self.blob)?;
        let textual = self.media_type().is_some_and(|kind| is_textual(&kind));
        if !textual || base64::decoded_len(&blob) > TEXT_BLOB_LIMIT {
            return None;
        }
        String::from_utf8(base64::decode(&blob)?).ok()
    }

    fn with_heading(&self, body: &str) -> Converted {
        let mut text = self.heading();
        text.push('\n');
        let body_from = Some(text.len());
        text.push_str(body);
        Converted {
            part: ContentPart::Text { text },
            body_from,
        }
    }

    /// `resource file:///a.txt (text/plain):`
    fn heading(&self) -> String {
        let uri = string(self.uri).unwrap_or(Cow::Borrowed("without a URI"));
        match self.media_type() {
            Some(kind) => format!("resource {uri} ({}):", short(&kind)),
            None => format!("resource {uri}:"),
        }
    }

    /// A link with all that the model may choose by. Nothing is fetched.
    fn link(&self) -> String {
        let mut out = format!(
            "resource link: {}",
            string(self.uri).unwrap_or(Cow::Borrowed("without a URI"))
        );
        let mut facts: Vec<String> = self
            .media_type()
            .map(|kind| short(&kind).to_owned())
            .into_iter()
            .collect();
        facts.extend(
            self.size
                .and_then(|bytes| bytes.get().parse().ok())
                .map(size),
        );
        if !facts.is_empty() {
            let _ = write!(out, " ({})", facts.join(", "));
        }
        for (label, value) in [
            ("name", self.name),
            ("title", self.title),
            ("description", self.description),
        ] {
            if let Some(value) = string(value) {
                let _ = write!(out, "\n{label}: {value}");
            }
        }
        out
    }
}

/// What one part of the server became.
pub(super) struct Converted {
    pub(super) part: ContentPart,
    /// From which byte on the part is the server's own text, which may be a copy of the structured
    /// content.
    pub(super) body_from: Option<usize>,
}

impl Converted {
    pub(super) fn note(text: String) -> Converted {
        Converted {
            part: ContentPart::Text { text },
            body_from: None,
        }
    }

    pub(super) fn body(text: String) -> Converted {
        Converted {
            part: ContentPart::Text { text },
            body_from: Some(0),
        }
    }
}

fn note_or(image: Result<ContentPart, String>) -> Converted {
    match image {
        Ok(part) => Converted {
            part,
            body_from: None,
        },
        Err(note) => Converted::note(note),
    }
}

/// The string that a raw value is; nothing for any other kind.
fn string(raw: Option<&RawValue>) -> Option<Cow<'_, str>> {
    text_of(raw?.get())
}

/// Whether a media type means text that a model can read.
fn is_textual(kind: &str) -> bool {
    const APPLICATION: [&str; 11] = [
        "json",
        "xml",
        "javascript",
        "ecmascript",
        "typescript",
        "yaml",
        "toml",
        "sql",
        "graphql",
        "x-sh",
        "x-ndjson",
    ];
    let essence = kind
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let Some((top, sub)) = essence.split_once('/') else {
        return false;
    };
    let plain = sub.strip_prefix("x-").unwrap_or(sub);
    top == "text"
        || sub.ends_with("+json")
        || sub.ends_with("+xml")
        || sub.ends_with("+yaml")
        || (top == "application" && (APPLICATION.contains(&sub) || APPLICATION.contains(&plain)))
}

fn short(word: &str) -> &str {
    let end = word
        .char_indices()
        .nth(WORD_LIMIT)
        .map_or(word.len(), |(at, _)| at);
    &word[..end]
}
