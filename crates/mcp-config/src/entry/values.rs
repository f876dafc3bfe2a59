//! Values of the simple types, with a message that shows what to write.

use super::exposure::{Exposure, ToolExposure};
use super::origin::Sourced;
use super::reader::Context;
use crate::document::{JsonPath, Kind, Member, Node, Value};
use crate::problem::short;
use crate::sensitive::is_secret_name;

impl Context<'_> {
    pub(super) fn wrong_type(
        &mut self,
        node: &Node,
        path: &JsonPath,
        expected: &str,
        help: String,
    ) {
        let message = format!("expected {expected}, found {}", node.kind());
        self.error(node.span(), path, message, Some(help));
    }

    pub(super) fn boolean(&mut self, member: &Member) -> Option<Sourced<bool>> {
        let node = member.value();
        if let Some(value) = node.as_bool() {
            return Some(Sourced::new(value, self.origin(node.span())));
        }
        let help = match node.as_str() {
            Some(word @ ("true" | "false")) => {
                format!("write \"{}\": {word}, without quotes", member.key())
            }
            _ => format!("write \"{}\": true or false", member.key()),
        };
        self.wrong_type(node, &self.path.member(member.key()), "a boolean", help);
        None
    }

    /// A string, or a problem that shows the quoted form. `key` is the member's name, if it is one.
    pub(super) fn text<'n>(
        &mut self,
        node: &'n Node,
        path: &JsonPath,
        key: Option<&str>,
    ) -> Option<&'n str> {
        if let Some(text) = node.as_str() {
            self.lone_backslash(node, path);
            return Some(text);
        }
        self.wrong_type(node, path, "a string", quoted(node, key));
        None
    }

    pub(super) fn object<'n>(&mut self, member: &'n Member, example: &str) -> Option<&'n [Member]> {
        let node = member.value();
        if let Some(object) = node.as_object() {
            return Some(object.members());
        }
        let help = format!("write \"{}\": {example}", member.key());
        self.wrong_type(node, &self.path.member(member.key()), "an object", help);
        None
    }

    pub(super) fn exposure(&mut self, member: &Member) -> Option<Sourced<Exposure>> {
        let path = self.path.member(member.key());
        let exposure = self.exposure_word(member.value(), &path)?;
        Some(Sourced::new(exposure, self.origin(member.value().span())))
    }

    pub(super) fn tool_exposure(&mut self, member: &Member) -> Option<Sourced<ToolExposure>> {
        let members = self.object(
            member,
            "{ \"tool_name\": \"hidden\", \"read_*\": \"direct\" }",
        )?;
        let path = self.path.member(member.key());
        let mut rules = Vec::new();
        let mut after_all = false;
        for rule in members {
            if rule.key().is_empty() {
                let help = "name a tool, or write a pattern such as \"*\"".to_owned();
                self.error(
                    rule.key_span(),
                    &path.member(""),
                    "an empty tool name",
                    Some(help),
                );
            }
            if let Some(exposure) = self.exposure_word(rule.value(), &path.member(rule.key())) {
                rules.push((rule.key(), exposure));
            }
            if after_all && rule.key().contains(['*', '?']) {
                let message = format!(
                    "`{}` decides nothing, since `*` stands before it",
                    short(rule.key())
                );
                let help = "the first pattern that matches decides: write `*` last".to_owned();
                self.warn(
                    rule.key_span(),
                    &path.member(rule.key()),
                    message,
                    Some(help),
                );
            }
            after_all |= rule.key() == "*";
        }
        let origin = self.origin(member.value().span());
        Some(Sourced::new(rules.into_iter().collect(), origin))
    }

    fn exposure_word(&mut self, node: &Node, path: &JsonPath) -> Option<Exposure> {
        let exposure = node.as_str().and_then(Exposure::parse);
        if exposure.is_none() {
            let help = "write \"direct\" (the model sees it) or \"hidden\"".to_owned();
            match node.as_str() {
                Some(_) => self.error(node.span(), path, "not an exposure", Some(help)),
                None => self.wrong_type(node, path, "a string", help),
            }
        }
        exposure
    }
}

/// How to write a value as a string. Long and telling values are not repeated, since they may be credentials.
fn quoted(node: &Node, key: Option<&str>) -> String {
    let secret = key.is_some_and(is_secret_name);
    let text = match node.value() {
        Value::Null => return "write a string, or remove it; an empty one is \"\"".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) if secret || number.text().len() > 12 => "…".to_owned(),
        Value::Number(number) => number.text().to_owned(),
        Value::Array(_) | Value::Object(_) => {
            let mut text = String::new();
            outline(node, secret, &mut text);
            text.chars().take(60).collect()
        }
        Value::String(text) => text.to_string(),
    };
    let quoted = serde_json::Value::from(text);
    match key {
        Some(key) => format!(
            "write it in quotes: {}: {quoted}",
            serde_json::Value::from(key)
        ),
        None => format!("write it in quotes: {quoted}"),
    }
}

/// The value as JSON with long texts left out. The reader bounds the depth; a long outline is cut.
fn outline(node: &Node, secret: bool, text: &mut String) {
    if text.len() > 60 {
        return;
    }
    match node.value() {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                outline(item, secret, text);
            }
            text.push(']');
        }
        Value::Object(object) => {
            text.push('{');
            for (index, member) in object.members().iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                text.push_str(&serde_json::Value::from(member.key()).to_string());
                text.push(':');
                outline(member.value(), secret || is_secret_name(member.key()), text);
            }
            text.push('}');
        }
        _ => {
            let json = node.to_json();
            let hidden = secret || json.len() > 8;
            let instead = if node.kind() == Kind::String {
                "\"…\""
            } else {
                "…"
            };
            text.push_str(if hidden { instead } else { &json });
        }
    }
}
