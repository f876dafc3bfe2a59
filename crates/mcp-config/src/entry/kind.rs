//! Whether an entry is a local or a remote server, from `type`, `command` and `url`.

use super::members::{OVERRIDABLE, is_transport_lookalike};
use super::parse::Members;
use super::reader::Context;
use super::transport::Transport;
use crate::document::{Member, Span};
use crate::problem::short;

/// What `type` says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Stdio,
    Http,
}

impl Context<'_> {
    pub(super) fn transport(
        &mut self,
        key: Span,
        members: &Members<'_>,
        is_empty: bool,
    ) -> Option<Transport> {
        let declared = members.kind.map(|kind| self.declared_type(kind));
        match (declared, members.command, members.url) {
            // The type is wrong, but everything else can be checked in the same run.
            (Some(None), Some(command), None) => {
                self.stdio(command, members);
                None
            }
            (Some(None), None, Some(url)) => {
                self.http(url, members);
                None
            }
            (Some(None), _, _) => None,
            (None, Some(command), Some(_)) => {
                let help = "keep one of them, or say which with \"type\": \"stdio\" or \"http\"";
                let path = self.path.clone();
                let message = "the entry has both `command` and `url`";
                self.error(command.key_span(), &path, message, Some(help.to_owned()));
                None
            }
            (None | Some(Some(Type::Stdio)), Some(command), url) => {
                self.without_effect(url, "a stdio server");
                Some(Transport::Stdio(self.stdio(command, members)?))
            }
            (None | Some(Some(Type::Http)), command, Some(url)) => {
                self.without_effect(command, "an http server");
                Some(Transport::Http(self.http(url, members)?))
            }
            (Some(Some(kind)), _, _) => {
                self.missing(key, kind);
                None
            }
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

    fn missing(&mut self, key: Span, kind: Type) {
        let (what, needed) = match kind {
            Type::Stdio => ("stdio", "command"),
            Type::Http => ("http", "url"),
        };
        let message = format!("the type is {what}, but there is no `{needed}`");
        let path = self.path.clone();
        self.error(
            key,
            &path,
            message,
            Some(format!("add `{needed}`, or change `type`")),
        );
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
            None => format!(
                "{add}; an entry that overrides an earlier layer's may hold only {}",
                OVERRIDABLE.join(", ")
            ),
        };
        self.error(
            key,
            &path,
            "the entry has neither `command` nor `url`",
            Some(help),
        );
    }

    /// Warns about a member that the entry's kind of server does not have.
    pub(super) fn without_effect(&mut self, member: Option<&Member>, kind: &str) {
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
