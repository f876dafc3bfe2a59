//! The prepared answers: results of a wanted size, put behind the id of a request.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::process;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::spec::{EXIT_TOOL, PeerSpec};
use crate::outcome::Outcome;

#[derive(Deserialize)]
struct Message<'m> {
    #[serde(borrow, default)]
    id: Option<&'m RawValue>,
    #[serde(borrow)]
    method: Cow<'m, str>,
    #[serde(borrow, default)]
    params: Option<&'m RawValue>,
}

#[derive(Deserialize)]
struct Call<'m> {
    #[serde(borrow)]
    name: Cow<'m, str>,
}

#[derive(Default, Deserialize)]
struct List {
    /// The number of the page.
    #[serde(default)]
    cursor: Option<String>,
}

/// Tools on one page of a listing, so that no client's limit for a message is met.
const PAGE: usize = 1_000;

/// The prepared results.
pub(super) struct Answers {
    call: String,
    pages: Vec<String>,
    /// The revision without a handshake is spoken, whose results name their type.
    stateless: bool,
}

impl Answers {
    pub(super) fn prepare(spec: PeerSpec) -> Self {
        Self {
            call: format!(
                r#"{{"content":[{{"type":"text","text":"{}"}}]"#,
                text(spec.text)
            ),
            pages: pages(spec),
            stateless: false,
        }
    }

    /// Appends the answer to a message, as one line; a notification has none.
    pub(super) fn answer(&mut self, line: &[u8], out: &mut Vec<u8>) -> Outcome<()> {
        let message: Message<'_> = serde_json::from_slice(line)?;
        let Some(id) = message.id else { return Ok(()) };
        let result = match &*message.method {
            "tools/call" => {
                let call: Option<Call<'_>> = message
                    .params
                    .map(|params| serde_json::from_str(params.get()))
                    .transpose()?;
                if call.is_some_and(|call| call.name == EXIT_TOOL) {
                    process::exit(7);
                }
                &self.call
            }
            "tools/list" => self.page(message.params)?,
            "initialize" => INITIALIZED,
            "server/discover" => {
                self.stateless = true;
                DISCOVERED
            }
            _ => "{",
        };
        let end = match (self.stateless, &*message.method) {
            (true, "tools/list") => LISTED_END,
            (true, _) if result == "{" => r#""resultType":"complete"}}"#,
            (true, _) => r#","resultType":"complete"}}"#,
            (false, _) => "}}",
        };
        for part in [
            r#"{"jsonrpc":"2.0","id":"#,
            id.get(),
            r#","result":"#,
            result,
            end,
            "\n",
        ] {
            out.extend_from_slice(part.as_bytes());
        }
        Ok(())
    }
}

impl Answers {
    fn page(&self, params: Option<&RawValue>) -> Outcome<&str> {
        let params = params.map(|params| serde_json::from_str::<List>(params.get()));
        let page = match params.transpose()?.and_then(|list| list.cursor) {
            Some(cursor) => cursor.parse()?,
            None => 0,
        };
        Ok(self.pages.get(page).ok_or("there is no such page")?)
    }
}

const INITIALIZED: &str = concat!(
    r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"#,
    r#""serverInfo":{"name":"peer","version":"1"}"#
);
/// The tool that is called; the others only take room.
const ECHO: &str = concat!(
    r#"{"name":"echo","description":"Gives a text.","inputSchema":"#,
    r#"{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}"#
);
/// Listings of that revision say how long they hold.
const LISTED_END: &str = r#","ttlMs":0,"cacheScope":"private","resultType":"complete"}}"#;
const DISCOVERED: &str = concat!(
    r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"#,
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}},"#,
    r#""ttlMs":0,"cacheScope":"private""#
);

/// The JSON form of a text of that many bytes, with an escaped line break at the end of each 80.
fn text(bytes: usize) -> String {
    const LINE: usize = 80;
    let mut text = format!("{}\\n", "x".repeat(LINE - 1)).repeat(bytes / LINE);
    text.push_str(&"x".repeat(bytes % LINE));
    text
}

/// The results of a listing, page by page; the first tool is the one that is called.
fn pages(spec: PeerSpec) -> Vec<String> {
    let schema = schema(spec.schema);
    let tool = |number| match number {
        0 => ECHO.to_owned(),
        _ => format!(
            r#"{{"name":"tool_{number}","description":"Does what tool number {number} does.","inputSchema":{schema}}}"#
        ),
    };
    let count = spec.tools.div_ceil(PAGE).max(1);
    let page = |page: usize| {
        let last = spec.tools.min((page + 1) * PAGE);
        let tools: Vec<String> = (page * PAGE..last).map(tool).collect();
        let next = if page + 1 < count {
            format!(r#","nextCursor":"{}""#, page + 1)
        } else {
            String::new()
        };
        format!(r#"{{"tools":[{}]{next}"#, tools.join(","))
    };
    (0..count).map(page).collect()
}

/// An object schema of about that many bytes, with nested properties as servers have them.
fn schema(bytes: usize) -> String {
    const PROPERTY: usize = 119;
    let mut schema = String::from(r#"{"type":"object","properties":{"#);
    for property in 0..(bytes / PROPERTY).max(1) {
        let comma = if property == 0 { "" } else { "," };
        let _ = write!(
            schema,
            r#"{comma}"property_{property:03}":{{"type":["string","null"],"description":"What this is for, in a few words.","enum":["a","b"]}}"#
        );
    }
    schema.push_str(r#"},"required":["property_000"]}"#);
    schema
}
