//! The messages of the clients that speak the protocol by hand, with as little work as there can be.

use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{ARGUMENTS, Part, text_length};
use crate::outcome::Outcome;

pub(super) const INITIALIZE: &str = concat!(
    r#"{"protocolVersion":"2025-11-25","capabilities":{},"#,
    r#""clientInfo":{"name":"bare","version":"1"}}"#
);
pub(super) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A tool as they keep it.
#[derive(Deserialize)]
pub(crate) struct Tool {
    #[serde(rename = "name")]
    _name: String,
    #[serde(rename = "description")]
    _description: String,
    #[serde(rename = "inputSchema")]
    _input_schema: Box<RawValue>,
}

#[derive(Deserialize)]
struct Called<'p> {
    #[serde(borrow)]
    content: Vec<Part<'p>>,
}

#[derive(Deserialize)]
struct Listed {
    tools: Vec<Tool>,
    #[serde(rename = "nextCursor")]
    next: Option<String>,
}

/// A message, of which only answers are looked for.
#[derive(Deserialize)]
pub(super) struct Answer<'m> {
    pub(super) id: u64,
    #[serde(borrow)]
    pub(super) result: &'m RawValue,
}

/// A request; its parameters may come in parts.
pub(super) fn request(id: u64, method: &str, params: &[&str]) -> String {
    let size = params.iter().map(|part| part.len()).sum::<usize>();
    let mut text = String::with_capacity(size + 100);
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":"#
    );
    for part in params {
        text.push_str(part);
    }
    text.push('}');
    text
}

/// The parameters of a tool's call.
pub(super) fn tool_call(tool: &str) -> [&str; 5] {
    [r#"{"name":""#, tool, r#"","arguments":"#, ARGUMENTS, "}"]
}

/// The length of the text that a call returned.
pub(super) fn text_of(result: &str) -> Outcome<usize> {
    let called: Called<'_> = serde_json::from_str(result)?;
    Ok(text_length(&called.content))
}

/// The parameters that ask for a page of tools.
pub(super) fn page(cursor: Option<&str>) -> String {
    cursor.map_or_else(
        || "{}".to_owned(),
        |cursor| format!(r#"{{"cursor":"{cursor}"}}"#),
    )
}

/// Takes the tools of a page, and says where the next one is.
pub(super) fn listed(result: &str, tools: &mut Vec<Tool>) -> Outcome<Option<String>> {
    let listed: Listed = serde_json::from_str(result)?;
    tools.extend(listed.tools);
    Ok(listed.next)
}
