//! What all methods share: the connection's limits, and whether a result is one.

use std::time::Duration;

use crate::rpc::{Ask, Meta, Reply};
use crate::types::CacheHint;
use crate::wire::{Member, ObjectWriter, kind_of};
use crate::{Connection, Era, RequestError};

impl Connection {
    /// A request with the connection's limits.
    pub(super) fn plain<'a>(&self, method: &'static str) -> Ask<'a> {
        let options = &self.core().options;
        Ask {
            method,
            name: None,
            meta: Meta::Negotiated,
            progress: true,
            cancellable: true,
            timeout: options.request_timeout,
            max_total: options.max_request,
            cancel: None,
            on_progress: None,
            room: 64,
        }
    }

    /// Sends a request whose result has to be complete.
    pub(super) async fn request(
        &self,
        ask: &Ask<'_>,
        params: impl Fn(&mut ObjectWriter<'_>),
    ) -> Result<Reply, RequestError> {
        let reply = self.core().ask(ask, params).await?;
        match self.result_type(ask.method, &reply)? {
            ResultType::Complete => Ok(reply),
            ResultType::InputRequired => Err(unknown_type(ask.method, "\"input_required\"")),
        }
    }

    /// What kind of result this is. Servers of the older revisions say nothing about it.
    pub(super) fn result_type(
        &self,
        method: &'static str,
        reply: &Reply,
    ) -> Result<ResultType, RequestError> {
        if self.server().protocol_version.era() != Era::Stateless {
            return Ok(ResultType::Complete);
        }
        match reply.present(Member::ResultType) {
            None | Some("\"complete\"") => Ok(ResultType::Complete),
            Some("\"input_required\"") => Ok(ResultType::InputRequired),
            Some(other) => Err(unknown_type(method, other)),
        }
    }
}

pub(super) enum ResultType {
    Complete,
    InputRequired,
}

fn unknown_type(method: &'static str, json: &str) -> RequestError {
    RequestError::invalid(
        method,
        Member::ResultType.name(),
        format!("unexpected result type {json}"),
    )
}

/// A member that has to be an array.
pub(super) fn array<'a>(
    method: &'static str,
    reply: &'a Reply,
    member: Member,
) -> Result<&'a str, RequestError> {
    match reply.member(member) {
        Some(json) if json.starts_with('[') => Ok(json),
        Some(json) => {
            let message = format!("expected an array, found {}", kind_of(json));
            Err(RequestError::invalid(method, member.name(), message))
        }
        None => Err(RequestError::invalid(method, member.name(), "missing")),
    }
}

/// How long a result holds, if the server says so.
pub(super) fn cache_hint(reply: &Reply) -> Option<CacheHint> {
    let ttl = serde_json::from_str(reply.present(Member::TtlMs)?).ok()?;
    let public = reply.present(Member::CacheScope) == Some("\"public\"");
    Some(CacheHint::new(Duration::from_millis(ttl), public))
}
