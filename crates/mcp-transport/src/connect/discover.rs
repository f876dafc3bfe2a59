//! `server/discover`, the probe: whether a server speaks the stateless revision.

use super::identity::{ours, server_info, stateless_meta};
use super::negotiate::{Handshake, Stopped};
use crate::rpc::{Ask, Meta, Negotiated, Reply};
use crate::wire::Member;
use crate::{ConnectError, ProtocolVersion, RequestError, ServerInfo};

/// The request's name.
pub(super) const METHOD: &str = "server/discover";
const HEADER_MISMATCH: i64 = -32020;
const MISSING_CAPABILITY: i64 = -32021;
const UNSUPPORTED_VERSION: i64 = -32022;

/// What the probe found.
pub(super) enum Found {
    Stateless(Box<ServerInfo>),
    /// Not stateless: begin with `initialize`, asking for this revision.
    Older(ProtocolVersion),
}

impl Handshake<'_> {
    /// Sends the probe and takes its answer for what it is.
    pub(super) async fn discover(&self) -> Result<Found, Stopped> {
        let meta = stateless_meta(&self.core.options);
        let ask = Ask {
            meta: Meta::Given(&meta),
            ..self.ask(METHOD)
        };
        let mut answer = self.core.ask(&ask, |_| {}).await;
        if supported(&answer)
            .iter()
            .any(|version| version == ProtocolVersion::STATELESS.as_str())
        {
            // It refuses what it says it speaks: once more, as the specification asks (2026-07-28, basic/versioning
            // §Protocol Version Negotiation).
            answer = self.core.ask(&ask, |_| {}).await;
        }
        match answer {
            Ok(reply) => self.judge(&reply, meta.clone()),
            Err(RequestError::Server {
                code: UNSUPPORTED_VERSION,
                ..
            }) => older(supported(&answer)),
            Err(RequestError::Server {
                code: code @ (HEADER_MISMATCH | MISSING_CAPABILITY),
                message,
                ..
            }) => Err(Stopped::Failed(ConnectError::Refused {
                method: METHOD,
                code,
                message,
            })),
            // So does an HTTP answer that is no modern error (2026-07-28, basic/versioning §Compatibility Matrix).
            Err(
                RequestError::Server { .. }
                | RequestError::InvalidResult { .. }
                | RequestError::Http { .. },
            ) => Ok(Found::Older(ProtocolVersion::LATEST_INITIALIZE)),
            // A gateway may refuse a method that it does not know. What asks for credentials says so.
            #[cfg(feature = "http")]
            Err(RequestError::NeedsAuth { refusal, .. })
                if refusal.status == 403 && refusal.challenges.is_empty() =>
            {
                Ok(Found::Older(ProtocolVersion::LATEST_INITIALIZE))
            }
            Err(error) => Err(self.stopped(error)),
        }
    }

    fn judge(&self, reply: &Reply, meta: String) -> Result<Found, Stopped> {
        let versions = reply.present(Member::SupportedVersions).unwrap_or_default();
        let Ok(versions) = serde_json::from_str::<Vec<String>>(versions) else {
            return Ok(Found::Older(ProtocolVersion::LATEST_INITIALIZE));
        };
        if versions
            .iter()
            .any(|version| version == ProtocolVersion::STATELESS.as_str())
        {
            let info = server_info(reply, ProtocolVersion::STATELESS);
            self.core
                .settle(Negotiated::new(ProtocolVersion::STATELESS, meta));
            return Ok(Found::Stateless(Box::new(info)));
        }
        older(versions)
    }
}

/// The revisions that a refusal of ours names.
fn supported(answer: &Result<Reply, RequestError>) -> Vec<String> {
    let Err(RequestError::Server {
        code: UNSUPPORTED_VERSION,
        data: Some(data),
        ..
    }) = answer
    else {
        return Vec::new();
    };
    serde_json::from_str::<Versions>(data.get())
        .unwrap_or_default()
        .supported
}

#[derive(Default, serde::Deserialize)]
struct Versions {
    #[serde(default)]
    supported: Vec<String>,
}

/// A stateless server, or one that pretends to be, without our stateless revision: the newest common one.
fn older(theirs: Vec<String>) -> Result<Found, Stopped> {
    if theirs.is_empty() {
        return Ok(Found::Older(ProtocolVersion::LATEST_INITIALIZE));
    }
    let common = ProtocolVersion::SUPPORTED
        .iter()
        .filter(|version| **version != ProtocolVersion::STATELESS)
        .find(|version| theirs.iter().any(|name| name == version.as_str()));
    match common {
        Some(version) => Ok(Found::Older(*version)),
        None => Err(Stopped::Failed(ConnectError::Version {
            ours: ours(),
            theirs,
        })),
    }
}
