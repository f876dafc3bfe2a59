//! The members of a remote server, and the templates that both kinds have.

use super::origin::Sourced;
use super::reader::Context;
use super::url;
use crate::document::{JsonPath, Member, Node};
use crate::problem::short;
use crate::resolve::literal_header_fault;
use crate::template::{Template, foreign_references, unfinished_reference, windows_reference};

/// Headers that the connection itself sets.
const RESERVED: [&str; 9] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "mcp-session-id",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "last-event-id",
];

/// Those of them that many published entries name, with what the connection sends anyway.
const NEEDLESS: [&str; 3] = ["accept", "accept-encoding", "content-type"];

impl Context<'_> {
    pub(super) fn url(&mut self, member: &Member) -> Option<Sourced<String>> {
        let path = self.path.member("url");
        let node = member.value();
        let text = self.text(node, &path, Some("url"))?;
        if !self.no_reference(node, &path, text)
            && let Some((message, help)) = url::fault(text)
        {
            self.error(node.span(), &path, message, Some(help.to_owned()));
        }
        Some(Sourced::new(text.to_owned(), self.origin(node.span())))
    }

    pub(super) fn headers(&mut self, member: &Member) -> Vec<(String, Sourced<Template>)> {
        let example = "{ \"Authorization\": \"Bearer ${TOKEN}\" }";
        let Some(members) = self.object(member, example) else {
            return Vec::new();
        };
        let path = self.path.member("headers");
        let mut headers: Vec<(String, Sourced<Template>)> = Vec::with_capacity(members.len());
        for header in members {
            let path = path.member(header.key());
            if NEEDLESS.contains(&header.key().to_ascii_lowercase().as_str()) {
                let message = format!(
                    "the connection sets `{}` itself, so this one has no effect",
                    header.key()
                );
                self.warn(
                    header.key_span(),
                    &path,
                    message,
                    Some("remove it".to_owned()),
                );
                continue;
            }
            self.header_name(header, &path, &headers);
            if let Some(template) = self.template(header, &path) {
                if let Some(literal) = template.literal()
                    && let Some(fault) = literal_header_fault(header.key(), &literal)
                {
                    let help = "correct the value, or remove the header".to_owned();
                    self.error(header.value().span(), &path, fault.to_string(), Some(help));
                }
                headers.push((header.key().to_owned(), template));
            }
        }
        headers
    }

    fn header_name(
        &mut self,
        header: &Member,
        path: &JsonPath,
        earlier: &[(String, Sourced<Template>)],
    ) {
        let name = header.key();
        let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(token) {
            let help = "names are letters, digits and -, such as X-Api-Key".to_owned();
            self.error(
                header.key_span(),
                path,
                "not a name that a header can have",
                Some(help),
            );
        } else if is_reserved(&name.to_ascii_lowercase()) {
            let message = format!("the connection sets `{name}` itself");
            self.error(
                header.key_span(),
                path,
                message,
                Some("remove it".to_owned()),
            );
        } else if earlier
            .iter()
            .any(|(other, _)| other.eq_ignore_ascii_case(name))
        {
            let message = format!(
                "the header `{}` is there already, in other letters",
                short(name)
            );
            let help = "header names are the same in upper and lower case: keep one".to_owned();
            self.error(header.key_span(), path, message, Some(help));
        }
    }

    /// A value of `env` or `headers`.
    pub(super) fn template(
        &mut self,
        member: &Member,
        path: &JsonPath,
    ) -> Option<Sourced<Template>> {
        let node = member.value();
        let text = self.text(node, path, Some(member.key()))?;
        let template = Template::new(text);
        if template
            .command()
            .is_some_and(|command| command.expose().trim().is_empty())
        {
            let help = "write !COMMAND, or !! for a literal exclamation mark".to_owned();
            self.error(
                node.span(),
                path,
                "there is no command after the `!`",
                Some(help),
            );
        }
        if template.command().is_none() {
            for foreign in foreign_references(text) {
                let message = format!(
                    "`{}` is a reference in the spelling of {}; it would be sent as it stands",
                    foreign.written, foreign.whose
                );
                let help = format!("write {}", foreign.instead);
                self.error(node.span(), path, message, Some(help));
            }
            if let Some((written, why)) = unfinished_reference(text) {
                let message =
                    format!("`{written}` is not a reference and stands for itself: {why}");
                let help = "write ${NAME}, ${NAME:-default} or ${NAME:?message}; a plain dollar sign is $$";
                self.warn(node.span(), path, message, Some(help.to_owned()));
            }
        }
        Some(Sourced::new(template, self.origin(node.span())))
    }

    /// Warns about a reference where none is expanded, and says whether there is one.
    pub(super) fn no_reference(&mut self, node: &Node, path: &JsonPath, text: &str) -> bool {
        let template = Template::new(&format!("-{text}"));
        let foreign = foreign_references(text);
        let written = match (foreign.first(), template.variables().first()) {
            (Some(foreign), _) => foreign.written.clone(),
            (None, Some(name)) => name_in(text, name),
            (None, None) => match windows_reference(text) {
                Some(written) => written,
                None => return false,
            },
        };
        let message = format!("`{written}` is not expanded here");
        let help = "references are expanded in `env` and `headers` only: write the value, or pass it by `env`";
        self.warn(node.span(), path, message, Some(help.to_owned()));
        true
    }
}

fn is_reserved(lowercase: &str) -> bool {
    RESERVED.contains(&lowercase) || lowercase.starts_with("mcp-param-")
}

/// The reference as people wrote it, without its default.
fn name_in(text: &str, name: &str) -> String {
    let spellings = [
        format!("${{{name}}}"),
        format!("$<{name}>"),
        format!("${name}"),
    ];
    let found = spellings
        .into_iter()
        .find(|spelling| text.contains(spelling.as_str()));
    found.unwrap_or_else(|| format!("${{{name}…}}"))
}
