//! Which values of a file an excerpt may show: those that are no credentials by their place and look.

use crate::document::{Node, Object, Span};
use crate::entry::is_plain_url;
use crate::sensitive::masked_args;

/// The spans of the harmless values of all entries.
pub(super) fn harmless(servers: &Object) -> Vec<Span> {
    let mut spans = Vec::new();
    for member in servers
        .members()
        .iter()
        .filter_map(|entry| entry.value().as_object())
        .flat_map(Object::members)
    {
        let value = member.value();
        match member.key() {
            "type" | "cwd" | "exposure" | "enabled" | "disabled" | "startTimeoutMs"
            | "requestTimeoutMs" | "maxRequestMs" => spans.push(value.span()),
            "command" | "args" => arguments(value, &mut spans),
            "toolExposure" => {
                let rules = value.as_object().into_iter().flat_map(Object::members);
                spans.extend(rules.map(|rule| rule.value().span()));
            }
            "url" if value.as_str().is_some_and(is_plain_url) => spans.push(value.span()),
            _ => {}
        }
    }
    spans
}

fn arguments(value: &Node, spans: &mut Vec<Span>) {
    let nodes = value.as_array().unwrap_or(std::slice::from_ref(value));
    let texts: Vec<&str> = nodes
        .iter()
        .map(|node| node.as_str().unwrap_or_default())
        .collect();
    for ((node, text), masked) in nodes.iter().zip(&texts).zip(masked_args(&texts)) {
        if *text == masked {
            spans.push(node.span());
        }
    }
}
