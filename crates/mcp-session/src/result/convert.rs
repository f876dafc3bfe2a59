//! A whole `tools/call` result for the model: the content, whatever its shape, and the structured
//! content where it says more.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::block::{Block, Converted};
use super::json::{Wanted, each_member, first_elements, text_of};
use super::part::{ContentPart, ToolResult};
use super::size::size;

/// No provider takes more parts, and each costs a host more than a server pays for it.
const PARTS_LIMIT: usize = 10_000;
/// How many parts' data is looked for in texts.
const DATA_LIMIT: usize = 32;

/// What the host's model can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultOptions {
    /// Whether images go to the model as images; else a note stands for each.
    pub images: bool,
}

impl Default for ResultOptions {
    fn default() -> ResultOptions {
        ResultOptions { images: true }
    }
}

/// A result as the server sent it: JSON texts, none of them taken apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct RawResult<'a> {
    /// `content`, if there is one.
    pub content: Option<&'a str>,
    /// `structuredContent`, if there is one.
    pub structured: Option<&'a str>,
    /// `isError`.
    pub is_error: bool,
    /// The whole result, shown where its content is empty and there is no structured content.
    pub whole: Option<&'a str>,
}

impl<'a> RawResult<'a> {
    /// Takes a whole result apart; what is no object has no members. Of a member that is written twice the
    /// last one counts, as for the results that come over a connection.
    pub fn read(whole: &'a str) -> RawResult<'a> {
        let mut raw = RawResult {
            whole: Some(whole),
            ..RawResult::default()
        };
        each_member(whole, |name, value| match name {
            "content" => raw.content = Some(value.get()),
            "structuredContent" => raw.structured = Some(value.get()),
            // As on a connection, a boolean that is written as a text or a number counts.
            "isError" => {
                let written = value.get().trim_matches('"');
                raw.is_error = matches!(written, "true" | "True" | "1");
            }
            _ => {}
        });
        raw
    }
}

/// The result for the model. It takes anything and never fails.
///
/// ```
/// use mcp_session::result::{RawResult, ResultOptions, convert};
///
/// let answer = r#"{"content":[{"type":"text","text":"3 issues"}],"structuredContent":{"issues":[1,2,3]}}"#;
/// let result = convert(RawResult::read(answer), &ResultOptions::default());
/// assert_eq!(result.text(), "3 issues\n{\"issues\":[1,2,3]}");
/// ```
pub fn convert(raw: RawResult<'_>, options: &ResultOptions) -> ToolResult {
    let mut parts = Parts {
        options,
        content: Vec::new(),
        bodies: Vec::new(),
        data: Vec::new(),
        withheld: 0,
    };
    parts.content(raw.content);
    // Several common servers write an absent value as `null`, so null says nothing.
    let structured = raw.structured.filter(|value| *value != "null");
    match structured {
        Some(value) => parts.structured(value),
        None if parts.say_nothing() => parts.unknown_shape(raw.whole),
        None => {}
    }
    ToolResult {
        is_error: raw.is_error,
        content: parts.finish(raw.is_error),
        warnings: Vec::new(),
        structured: structured.and_then(|value| RawValue::from_string(value.to_owned()).ok()),
        failure: None,
    }
}

struct Parts<'a> {
    options: &'a ResultOptions,
    content: Vec<ContentPart>,
    /// Which parts hold a text of the server, and from which byte on: one of them may already be
    /// the structured content.
    bodies: Vec<(usize, usize)>,
    /// The base64 of the parts, which some servers repeat in the structured content and its copy as text.
    data: Vec<&'a str>,
    withheld: usize,
}

impl<'a> Parts<'a> {
    /// The specification says a list of objects; a string, one object and plain values in the list
    /// are taken too.
    fn content(&mut self, content: Option<&'a str>) {
        let Some(content) = content else { return };
        match content.as_bytes().first() {
            Some(b'[') => {
                let (items, more) = first_elements(content, PARTS_LIMIT);
                items
                    .into_iter()
                    .enumerate()
                    .for_each(|(index, item)| self.item(index, item.get()));
                if more > 0 {
                    let note = format!("[{more} more content parts are left out]");
                    self.push(Converted::note(note));
                }
            }
            Some(b'{') => self.object(content),
            Some(b'n') => {}
            // A string is its text; a number, or what is no JSON at all, is shown as it stands.
            _ => self.push(Converted::body(
                text_of(content).map_or_else(|| content.to_owned(), Cow::into_owned),
            )),
        }
    }

    fn item(&mut self, index: usize, item: &'a str) {
        let kind = match item.as_bytes().first() {
            Some(b'{') => return self.object(item),
            Some(b'"') => return self.content(Some(item)),
            Some(b'[') => "an array",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            _ => "a number",
        };
        self.push(Converted::note(format!(
            "[content part {index} is {kind}, not an object]"
        )));
    }

    fn object(&mut self, raw: &'a str) {
        let Some(block) = Block::read(raw) else {
            // Not as text: it may hold base64.
            let note = format!("[a content part that cannot be read, {}]", size(raw.len()));
            return self.push(Converted::note(note));
        };
        self.data.extend(block.base64());
        if block.for_user_alone() {
            self.withheld += 1;
            return;
        }
        let converted = match block.kind() {
            Some(kind) => block.convert(&kind, raw, self.options),
            None => block
                .untyped_base64(self.options)
                .unwrap_or_else(|| Converted::body(raw.to_owned())),
        };
        self.push(converted);
    }

    fn push(&mut self, converted: Converted) {
        // Model providers refuse a text part that holds nothing but white space.
        let blank = match &converted.part {
            ContentPart::Text { text } => text.trim().is_empty(),
            ContentPart::Image { data, .. } => data.is_empty(),
        };
        if !blank {
            self.bodies
                .extend(converted.body_from.map(|from| (self.content.len(), from)));
            self.content.push(converted.part);
        }
    }

    fn structured(&mut self, value: &str) {
        let wanted = Wanted::new(value);
        let copy = self
            .bodies
            .iter()
            .find(|(part, from)| match self.content.get(*part) {
                Some(ContentPart::Text { text }) => {
                    text.get(*from..).is_some_and(|body| wanted.is(body))
                }
                _ => false,
            })
            .map(|(part, _)| *part);
        let index = copy.unwrap_or_else(|| {
            self.content.push(ContentPart::text(value));
            self.content.len() - 1
        });
        if let Some(ContentPart::Text { text }) = self.content.get_mut(index) {
            leave_out(&self.data, text);
        }
    }

    fn say_nothing(&self) -> bool {
        self.content.is_empty() && self.withheld == 0
    }

    /// A result of neither kind: its JSON, if it says anything beyond the members that every result
    /// may have.
    fn unknown_shape(&mut self, whole: Option<&str>) {
        let Some(whole) = whole else { return };
        if says_something(whole) {
            self.content.push(ContentPart::text(whole));
        }
    }

    fn finish(mut self, is_error: bool) -> Vec<ContentPart> {
        if self.content.is_empty() {
            self.content
                .push(ContentPart::text(match (self.withheld, is_error) {
                    (0, false) => "(no output)",
                    (0, true) => "(the tool failed and gave no message)",
                    _ => "(the output is meant for the user alone)",
                }));
        }
        self.content
    }
}

/// Base64 is no text for a model, and the part that it belongs to is given or told of already.
fn leave_out(data: &[&str], text: &mut String) {
    for data in data.iter().take(DATA_LIMIT) {
        if text.contains(data) {
            *text = text.replace(data, "[the data of a content part]");
        }
    }
}

fn says_something(whole: &str) -> bool {
    const COMMON: [&str; 5] = [
        "content",
        "structuredContent",
        "isError",
        "_meta",
        "resultType",
    ];
    let mut more = false;
    let is_object = each_member(whole, |name, _| more |= !COMMON.contains(&name));
    more || !is_object && !matches!(whole.trim(), "" | "null")
}
