//! Reads one entry, as a server or as an override of one.

use std::sync::Arc;

use super::members::{KNOWN, OVERRIDABLE, is_transport_lookalike};
use super::origin::{Origin, Sourced};
use super::patch::Patch;
use super::reader::Context;
use super::server::ServerEntry;
use super::transport::Transport;
use crate::document::{self, Member, Node};
use crate::problem::Problem;

/// What an entry turned out to be.
#[derive(Clone, Debug)]
pub(crate) enum Written {
    Server(Box<ServerEntry>),
    Override(Box<Patch>),
    Failed,
}

/// The members of an entry by their names.
#[derive(Default)]
pub(super) struct Members<'a> {
    pub(super) kind: Option<&'a Member>,
    pub(super) command: Option<&'a Member>,
    pub(super) args: Option<&'a Member>,
    pub(super) env: Option<&'a Member>,
    pub(super) cwd: Option<&'a Member>,
    pub(super) url: Option<&'a Member>,
    pub(super) headers: Option<&'a Member>,
    start_timeout: Option<&'a Member>,
    request_timeout: Option<&'a Member>,
    max_request: Option<&'a Member>,
    overridable: Vec<&'a Member>,
    unknown: Vec<&'a Member>,
    unsupported: Vec<&'a Member>,
}

impl<'a> Members<'a> {
    fn sort(members: &'a [Member]) -> Self {
        let mut sorted = Members::default();
        for member in members {
            let place = match member.key() {
                "type" => &mut sorted.kind,
                "command" => &mut sorted.command,
                "args" => &mut sorted.args,
                "env" => &mut sorted.env,
                "cwd" => &mut sorted.cwd,
                "url" => &mut sorted.url,
                "headers" => &mut sorted.headers,
                "startTimeoutMs" => &mut sorted.start_timeout,
                "requestTimeoutMs" => &mut sorted.request_timeout,
                "maxRequestMs" => &mut sorted.max_request,
                key if OVERRIDABLE.contains(&key) => {
                    sorted.overridable.push(member);
                    continue;
                }
                "auth" | "oauth" => {
                    sorted.unsupported.push(member);
                    continue;
                }
                _ => {
                    sorted.unknown.push(member);
                    continue;
                }
            };
            *place = Some(member);
        }
        sorted
    }

    /// Whether it overrides and does nothing else, and was not meant to do more.
    fn only_overrides(&self, members: &[Member]) -> bool {
        let known = members
            .iter()
            .filter(|member| KNOWN.contains(&member.key()))
            .count();
        !self.overridable.is_empty()
            && known == self.overridable.len()
            && self.unsupported.is_empty()
            && !self
                .unknown
                .iter()
                .any(|member| is_transport_lookalike(member.key()))
    }
}

/// Reads one entry; everything that is wrong with it is in the context afterwards.
pub(crate) fn read_entry(context: &mut Context<'_>, key: document::Span, node: &Node) -> Written {
    let Some(object) = node.as_object() else {
        let message = format!("expected an object, found {}", node.kind());
        let help = if node.is_null() || node.as_bool() == Some(false) {
            "to switch a server off, write { \"enabled\": false }"
        } else {
            "write { \"command\": \"…\" } or { \"url\": \"…\" }"
        };
        let path = context.path.clone();
        context.error(node.span(), &path, message, Some(help.to_owned()));
        return Written::Failed;
    };
    let members = Members::sort(object.members());
    for unknown in &members.unknown {
        context.unknown_member(unknown);
    }
    for unsupported in &members.unsupported {
        context.unsupported_member(unsupported);
    }
    let patch = Patch::read(context, &members.overridable);
    if members.only_overrides(object.members()) {
        return if context.has_errors() {
            Written::Failed
        } else {
            Written::Override(Box::new(patch))
        };
    }
    let server = server(context, key, &members, object.is_empty(), patch);
    match server {
        Some(server) if !context.has_errors() => Written::Server(Box::new(server)),
        _ => Written::Failed,
    }
}

fn server(
    context: &mut Context<'_>,
    key: document::Span,
    members: &Members<'_>,
    is_empty: bool,
    patch: Patch,
) -> Option<ServerEntry> {
    let start_timeout = members
        .start_timeout
        .and_then(|member| context.duration(member));
    let request_timeout = members
        .request_timeout
        .and_then(|member| context.duration(member));
    let max_request = members
        .max_request
        .and_then(|member| context.duration(member));
    context.check_limits(request_timeout.as_ref(), max_request.as_ref());
    let transport = context.transport(key, members, is_empty)?;
    Some(ServerEntry {
        name: Arc::from(context.name),
        origin: context.origin(key),
        replaced: Vec::new(),
        transport,
        enabled: patch.enabled,
        exposure: patch.exposure,
        tool_exposure: patch.tool_exposure,
        start_timeout,
        request_timeout,
        max_request,
    })
}

/// What `type` says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Stdio,
    Http,
}

impl Context<'_> {
    fn transport(
        &mut self,
        key: document::Span,
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

    fn missing(&mut self, key: document::Span, kind: Type) {
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

    fn neither(&mut self, key: document::Span, is_empty: bool, members: &Members<'_>) {
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
            Some(member) => format!("{add}; `{}` has no effect", member.key()),
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

    fn check_limits(
        &mut self,
        request: Option<&Sourced<std::time::Duration>>,
        whole: Option<&Sourced<std::time::Duration>>,
    ) {
        if let (Some(request), Some(whole)) = (request, whole)
            && **request > **whole
        {
            let problem = Problem::warning(
                "`requestTimeoutMs` is longer than `maxRequestMs`, which ends requests first",
            )
            .with_path(&self.path.member("requestTimeoutMs"))
            .with_server(self.name);
            let problem = request.origin().place(problem);
            self.add(problem);
        }
    }
}

impl ServerEntry {
    /// Reads an entry by the rules of the file, for entries that do not come from one. `json` is the entry alone.
    ///
    /// The entry is absent exactly if there is an error among the problems.
    pub fn parse(name: &str, json: &str, origin: &Origin) -> (Option<ServerEntry>, Vec<Problem>) {
        let (written, mut problems) = read_text(name, json, origin);
        match written {
            Written::Server(server) => (Some(server.with_origin(origin)), problems),
            Written::Failed => (None, problems),
            Written::Override(_) => {
                let path = document::JsonPath::root().member("mcpServers").member(name);
                let problem = Problem::error("the entry has neither `command` nor `url`")
                    .with_path(&path)
                    .with_server(name)
                    .with_help("add one of them, or override an existing server");
                problems.push(problem);
                (None, problems)
            }
        }
    }

    /// Applies an entry that only overrides: `enabled`, `disabled`, `exposure`, `toolExposure`.
    ///
    /// The entry is absent exactly if there is an error among the problems.
    pub fn with_override(
        &self,
        json: &str,
        origin: &Origin,
    ) -> (Option<ServerEntry>, Vec<Problem>) {
        let (written, mut problems) = read_text(&self.name, json, origin);
        match written {
            Written::Override(patch) => (Some(self.patched(&patch.with_origin(origin))), problems),
            Written::Failed => (None, problems),
            Written::Server(_) => {
                let path = document::JsonPath::root()
                    .member("mcpServers")
                    .member(&self.name);
                let message = format!("an override may hold only {}", OVERRIDABLE.join(", "));
                problems.push(
                    Problem::error(message)
                        .with_path(&path)
                        .with_server(&self.name),
                );
                (None, problems)
            }
        }
    }
}

/// Reads an entry that stands alone; its problems have paths but no places in a file.
fn read_text(name: &str, json: &str, origin: &Origin) -> (Written, Vec<Problem>) {
    let parsed = document::parse(origin.layer(), json.as_bytes());
    let mut problems = parsed.problems;
    let mut written = Written::Failed;
    if name.trim().is_empty() {
        problems.push(Problem::error("a server needs a name that is not empty"));
    } else if let Some(document) = parsed.document {
        let layer = Arc::from(origin.layer());
        let mut context = Context::new(document.source(), &layer, name);
        let root = document.root();
        written = read_entry(&mut context, root.span(), root);
        problems.extend(context.into_problems());
    }
    (
        written,
        problems
            .into_iter()
            .map(|problem| problem.without_place().with_server(name))
            .collect(),
    )
}
