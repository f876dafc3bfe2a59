//! The members of a local server.

use super::command_line;
use super::origin::Sourced;
use super::reader::Context;
use crate::document::{JsonPath, Member, Node};
use crate::sensitive::masked_args;
use crate::template::Template;

impl Context<'_> {
    pub(super) fn command(&mut self, member: &Member, has_args: bool) -> Option<Sourced<String>> {
        let path = self.path.member("command");
        let node = member.value();
        if let Some(words) = words(node) {
            let mut help = command_line::advice(&words);
            if node.get("env").is_some() {
                help.push_str(", and `env` beside them");
            }
            let message = format!("`command` is the program alone, not {}", node.kind());
            self.error(node.span(), &path, message, Some(help));
            return None;
        }
        let text = self.text(node, &path, Some("command"))?;
        if text.trim().is_empty() {
            let help = "write the name or path of a program".to_owned();
            self.error(node.span(), &path, "the command is empty", Some(help));
        }
        self.no_nul(node, &path, text);
        self.no_reference(node, &path, text);
        if let Some(line) = command_line::recognise(text) {
            let help = command_line::advice_for(text, &line, has_args);
            if line.certain {
                let message = "`command` is the program alone, but this is a whole command line";
                self.error(node.span(), &path, message, Some(help));
            } else {
                let message = "the command contains spaces; it is taken as the path of a program";
                self.warn(
                    node.span(),
                    &path,
                    message,
                    Some(format!("if it is a command line, {help}")),
                );
            }
        }
        self.only_home(node, &path, text);
        Some(Sourced::new(text.to_owned(), self.origin(node.span())))
    }

    pub(super) fn args(&mut self, member: &Member) -> Vec<Sourced<String>> {
        let path = self.path.member("args");
        let node = member.value();
        let Some(items) = node.as_array() else {
            let help = match node.as_str() {
                Some(text) => {
                    let words = command_line::split(command_line::beginning(text));
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    format!(
                        "write \"args\": {}",
                        serde_json::Value::from(masked_args(&words))
                    )
                }
                None => "write \"args\": [\"…\"]".to_owned(),
            };
            self.wrong_type(node, &path, "an array of strings", help);
            return Vec::new();
        };
        let mut args = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let path = path.index(index);
            if let Some(text) = self.text(item, &path, None) {
                self.no_nul(item, &path, text);
                self.no_reference(item, &path, text);
                args.push(Sourced::new(text.to_owned(), self.origin(item.span())));
            }
        }
        args
    }

    pub(super) fn env(&mut self, member: &Member) -> Vec<(String, Sourced<Template>)> {
        let Some(members) = self.object(member, "{ \"NAME\": \"value\" }") else {
            return Vec::new();
        };
        let path = self.path.member("env");
        let mut env = Vec::with_capacity(members.len());
        for variable in members {
            let path = path.member(variable.key());
            if variable.key().is_empty() || variable.key().contains(['=', '\0']) {
                let message = "not a name that a variable can have";
                let help = "names are not empty and contain neither = nor NUL".to_owned();
                self.error(variable.key_span(), &path, message, Some(help));
            }
            if let Some(template) = self.template(variable, &path) {
                if let Some(literal) = template.literal() {
                    self.no_nul(variable.value(), &path, &literal);
                }
                env.push((variable.key().to_owned(), template));
            }
        }
        env
    }

    pub(super) fn cwd(&mut self, member: &Member) -> Option<Sourced<String>> {
        let path = self.path.member("cwd");
        let text = self.text(member.value(), &path, Some("cwd"))?;
        if text.is_empty() {
            let help = "remove it: without `cwd` the server runs in the base directory".to_owned();
            self.error(
                member.value().span(),
                &path,
                "the directory is empty",
                Some(help),
            );
        }
        self.no_nul(member.value(), &path, text);
        self.no_reference(member.value(), &path, text);
        self.only_home(member.value(), &path, text);
        Some(Sourced::new(
            text.to_owned(),
            self.origin(member.value().span()),
        ))
    }

    fn no_nul(&mut self, node: &Node, path: &JsonPath, text: &str) {
        if text.contains('\0') {
            let help = "remove \\0 or \\u0000".to_owned();
            self.error(
                node.span(),
                path,
                "the value contains a NUL character",
                Some(help),
            );
        }
    }

    /// `~` and `~user` look as if they worked.
    fn only_home(&mut self, node: &Node, path: &JsonPath, text: &str) {
        if text.starts_with('~') && !text.starts_with("~/") {
            let message = "only `~/` stands for the home directory";
            let help = "write the path in full; for the home directory itself write ~/".to_owned();
            self.warn(node.span(), path, message, Some(help));
        }
    }
}

/// The command line in an array, or in an object of `path` and `args` as in Zed's settings.
fn words(node: &Node) -> Option<Vec<&str>> {
    if let Some(items) = node.as_array() {
        return Some(items.iter().filter_map(Node::as_str).collect());
    }
    node.as_object()?;
    let path = node.get("path").and_then(Node::as_str);
    let args = node.get("args").and_then(Node::as_array);
    let args = args.filter(|_| path.is_some()).into_iter().flatten();
    Some(
        path.into_iter()
            .chain(args.filter_map(Node::as_str))
            .collect(),
    )
}
