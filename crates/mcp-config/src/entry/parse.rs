//! Reads one entry, as a server or as an override of one.

use std::sync::Arc;

use super::members::{KNOWN, OVERRIDABLE, is_entry, is_transport_lookalike};
use super::patch::Patch;
use super::reader::Context;
use super::server::ServerEntry;
use crate::document::{Member, Node, Span};
use crate::problem::short;

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
    pub(super) unknown: Vec<&'a Member>,
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

    /// An entry within this one, which says nothing about a server itself.
    fn nested(&self) -> Option<&'a Member> {
        let silent = self.kind.is_none() && self.command.is_none() && self.url.is_none();
        let nested = self.unknown.iter().find(|member| is_entry(member.value()));
        nested.filter(|_| silent).copied()
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
pub(crate) fn read_entry(context: &mut Context<'_>, key: Span, node: &Node) -> Written {
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
    if let Some(nested) = members.nested() {
        let path = context.path.clone();
        let message = "this is no entry, but holds entries";
        let help = format!(
            "move `{}` and the others up into `mcpServers`",
            short(nested.key())
        );
        context.error(key, &path, message, Some(help));
        return Written::Failed;
    }
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
    key: Span,
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
    let transport = Arc::new(context.transport(key, members, is_empty)?);
    Some(ServerEntry {
        name: Arc::clone(&context.name),
        origin: context.origin(key),
        replaced: Vec::new(),
        type_origin: members.kind.map(|kind| context.origin(kind.value().span())),
        transport,
        enabled: patch.enabled,
        exposure: patch.exposure,
        tool_exposure: patch.tool_exposure,
        start_timeout,
        request_timeout,
        max_request,
    })
}
