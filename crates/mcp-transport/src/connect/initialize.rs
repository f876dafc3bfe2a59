//! `initialize`, the handshake of the revisions before 2026-07-28.

use serde_json::value::RawValue;

use super::identity::{ours, server_info, stateless_meta};
use super::negotiate::{Handshake, Stopped};
use crate::rpc::{Ask, Meta, Negotiated, Reply};
use crate::wire::{Member, MessageWriter};
use crate::{ConnectError, Era, ProtocolVersion, RequestError, ServerInfo};

/// The request's name.
pub(super) const METHOD: &str = "initialize";

impl Handshake<'_> {
    /// Begins a session. A refusal that names another revision of ours gets one more try with that.
    pub(super) async fn initialize(&self, version: ProtocolVersion) -> Result<ServerInfo, Stopped> {
        let refusal = match self.initialize_with(version).await {
            Ok(reply) => return self.begin(&reply),
            Err(refusal @ (RequestError::Server { .. } | RequestError::Http { .. })) => refusal,
            Err(error) => return Err(self.stopped(error)),
        };
        let Some(other) = named_version(&refusal, version) else {
            return Err(refused(refusal));
        };
        if other == ProtocolVersion::STATELESS {
            return Err(Stopped::Stateless);
        }
        match self.initialize_with(other).await {
            Ok(reply) => self.begin(&reply),
            Err(RequestError::Dropped { .. }) => Err(Stopped::StartAgain(other)),
            Err(error @ RequestError::Server { .. }) => Err(refused(error)),
            Err(error) => Err(self.stopped(error)),
        }
    }

    async fn initialize_with(&self, version: ProtocolVersion) -> Result<Reply, RequestError> {
        self.enter_initialize();
        let ask = Ask {
            meta: Meta::Nothing,
            ..self.ask(METHOD)
        };
        let options = &self.core.options;
        self.core
            .ask(&ask, |params| {
                params.value("protocolVersion", version.as_str());
                params.value(
                    "capabilities",
                    &options.handlers.capabilities(Era::Initialize),
                );
                params.value("clientInfo", &options.client);
            })
            .await
    }

    fn begin(&self, reply: &Reply) -> Result<ServerInfo, Stopped> {
        let Some(name) = reply.string(Member::ProtocolVersion) else {
            let error = RequestError::invalid(METHOD, "protocolVersion", "expected a string");
            return Err(self.stopped(error));
        };
        let Some(version) = ProtocolVersion::known(&name) else {
            let error = ConnectError::Version {
                ours: ours(),
                theirs: vec![name],
            };
            return Err(Stopped::Failed(error));
        };
        // A server may answer with the stateless revision although it was asked for an older one.
        let meta = match version {
            ProtocolVersion::STATELESS => stateless_meta(&self.core.options),
            _ => String::new(),
        };
        self.core.settle(Negotiated::new(version, meta));
        let method = "notifications/initialized";
        self.core
            .notify(method, MessageWriter::notification(method));
        Ok(server_info(reply, version))
    }
}

fn refused(error: RequestError) -> Stopped {
    match error {
        RequestError::Server { code, message, .. } => Stopped::Failed(ConnectError::Refused {
            method: METHOD,
            code,
            message,
        }),
        other => Stopped::Failed(ConnectError::Request(other)),
    }
}

/// The newest revision of ours, other than the one asked for, that a refusal names in its message or data.
fn named_version(refusal: &RequestError, asked: ProtocolVersion) -> Option<ProtocolVersion> {
    let (message, data) = match refusal {
        RequestError::Server { message, data, .. } => (message, data.as_deref()),
        RequestError::Http { message, .. } => (message, None),
        _ => return None,
    };
    let data = data.map(RawValue::get).unwrap_or_default();
    let named = |version: &&ProtocolVersion| {
        **version != asked
            && (data.contains(version.as_str()) || message.contains(version.as_str()))
    };
    let older = ProtocolVersion::SUPPORTED
        .iter()
        .filter(|version| **version != ProtocolVersion::STATELESS);
    // A session that both sides know is preferred here: the server was just asked for one.
    older
        .clone()
        .find(named)
        .or_else(|| ProtocolVersion::SUPPORTED.iter().find(named))
        .copied()
}
