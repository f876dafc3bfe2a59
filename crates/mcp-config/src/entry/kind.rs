//! Whether an entry is a local or a remote server, from `type`, `command` and `url`.

use super::members::{OVERRIDABLE, is_transport_lookalike};
use super::origin::Sourced;
use super::parse::Members;
use super::reader::Context;
use super::transport::{HttpEntry, StdioEntry, Transport};
use crate::document::{Member, Span};
use crate::problem::short;
use crate::template::Template;

/// What `type` says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Stdio,
    Http,
}

/// Everything that either kind of server may have, read and checked whatever the kind turns out to be, so that all
/// that is wrong is told in one run.
struct Parts {
    command: Option<Sourced<String>>,
    args: Vec<Sourced<String>>,
    env: Vec<(String, Sourced<Template>)>,
    cwd: Option<Sourced<String>>,
    url: Option<Sourced<String>>,
    headers: Vec<(String, Sourced<Template>)>,
}

impl Context<'_> {
    pub(super) fn transport(
        &mut self,
        key: Span,
        members: &Members<'_>,
        is_empty: bool,
    ) -> Option<Transport> {
        let kind = self.kind(key, members, is_empty);
        let Parts {
            command,
            args,
            env,
            cwd,
            url,
            headers,
        } = self.parts(members);
        match kind? {
            Type::Stdio => {
                for member in [members.url, members.headers] {
                    self.without_effect(member, "a stdio server");
                }
                Some(Transport::Stdio(StdioEntry {
                    command: command?,
                    args,
                    env,
                    cwd,
                }))
            }
            Type::Http => {
                for member in [members.command, members.args, members.env, members.cwd] {
                    self.without_effect(member, "an http server");
                }
                Some(Transport::Http(HttpEntry { url: url?, headers }))
            }
        }
    }

    fn parts(&mut self, members: &Members<'_>) -> Parts {
        let has_args = members.args.is_some();
        Parts {
            command: members
                .command
                .and_then(|command| self.command(command, has_args)),
            args: members.args.map_or_else(Vec::new, |args| self.args(args)),
            env: members.env.map_or_else(Vec::new, |env| self.env(env)),
            cwd: members.cwd.and_then(|cwd| self.cwd(cwd)),
            url: members.url.and_then(|url| self.url(url)),
            headers: members
                .headers
                .map_or_else(Vec::new, |headers| self.headers(headers)),
        }
    }

    fn kind(&mut self, key: Span, members: &Members<'_>, is_empty: bool) -> Option<Type> {
        let declared = members.kind.map(|kind| self.declared_type(kind));
        match (declared, members.command, members.url) {
            (Some(kind), command, url) => {
                let kind = kind?;
                let needed = if kind == Type::Stdio { command } else { url };
                if needed.is_none() {
                    self.missing(key, kind, command.is_none() && url.is_none());
                    return None;
                }
                Some(kind)
            }
            (None, Some(command), Some(_)) => {
                let help = "keep one of them, or say which with \"type\": \"stdio\" or \"http\"";
                let path = self.path.clone();
                let message = "the entry has both `command` and `url`";
                self.error(command.key_span(), &path, message, Some(help.to_owned()));
                None
            }
            (None, Some(_), None) => Some(Type::Stdio),
            (None, None, Some(_)) => Some(Type::Http),
            (None, None, None) => {
                self.neither(key, is_empty, members);
                None
            }
        }
    }

    fn declared_type(&mut self, member: &Member) -> Option<Type> {
        let path = self.path.member("type");
        let word = self.text(member.value(), &path, Some("type"))?;
        let kind = match word.to_ascii_lowercase().as_str() {
            "stdio" => return Some(Type::Stdio),
            "http" | "streamable-http" | "streamable_http" | "streamablehttp" => {
                return Some(Type::Http);
            }
            kind => kind.to_owned(),
        };
        let accepted = "accepted are stdio and http (also spelt streamable-http, streamable_http, streamableHttp)";
        let (message, help) = match kind.as_str() {
            "sse" => (
                "`sse`, the transport of 2024, is not supported".to_owned(),
                "most servers offer http at another path, often /mcp: write \"type\": \"http\" with that URL".to_owned(),
            ),
            "ws" | "wss" | "websocket" => ("WebSocket is not supported".to_owned(), accepted.to_owned()),
            "local" => ("unknown type `local`".to_owned(), format!("write \"stdio\"; {accepted}")),
            "remote" => ("unknown type `remote`".to_owned(), format!("write \"http\"; {accepted}")),
            _ if word.len() <= 24 => (format!("unknown type `{word}`"), accepted.to_owned()),
            _ => ("unknown type".to_owned(), accepted.to_owned()),
        };
        self.error(member.value().span(), &path, message, Some(help));
        None
    }

    /// The member that the type needs is missing. An entry with neither may have been meant as an override.
    fn missing(&mut self, key: Span, kind: Type, is_override: bool) {
        let (what, needed) = match kind {
            Type::Stdio => ("stdio", "command"),
            Type::Http => ("http", "url"),
        };
        let message = format!("the type is {what}, but there is no `{needed}`");
        let help = if is_override {
            format!("add `{needed}`; {}", overridable())
        } else {
            format!("add `{needed}`, or change `type`")
        };
        let path = self.path.clone();
        self.error(key, &path, message, Some(help));
    }

    fn neither(&mut self, key: Span, is_empty: bool, members: &Members<'_>) {
        let path = self.path.clone();
        let add = "add `command` (a local server) or `url` (a remote one)";
        if is_empty {
            let help = format!("{add}, or remove it");
            return self.error(key, &path, "the entry is empty", Some(help));
        }
        let lookalike = members
            .unknown
            .iter()
            .find(|member| is_transport_lookalike(member.key()));
        let help = match lookalike {
            Some(member) => format!("{add}; `{}` has no effect", short(member.key())),
            None => format!("{add}; {}", overridable()),
        };
        self.error(
            key,
            &path,
            "the entry has neither `command` nor `url`",
            Some(help),
        );
    }

    /// Warns about a member that the entry's kind of server does not have.
    fn without_effect(&mut self, member: Option<&Member>, kind: &str) {
        if let Some(member) = member {
            let path = self.path.member(member.key());
            let message = format!("`{}` has no effect on {kind}", member.key());
            self.warn(
                member.key_span(),
                &path,
                message,
                Some("remove it".to_owned()),
            );
        }
    }
}

/// What an entry may hold that only changes an earlier layer's.
fn overridable() -> String {
    let members = OVERRIDABLE.join(", ");
    format!("an entry that overrides an earlier layer's may hold only {members}")
}
