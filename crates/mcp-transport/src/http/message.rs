//! One message as its task holds it: its body, and what its headers say of it.

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::endpoint::{Endpoint, Purpose};
use crate::link::{Kind, Outbound};
use crate::{ProtocolVersion, RequestError};

pub(super) const INITIALIZED: &str = "notifications/initialized";

/// A message as its task holds it.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) body: Bytes,
    pub(super) id: Option<u64>,
    pub(super) method: &'static str,
    pub(super) name: Option<Box<str>>,
    /// The revision that an `initialize` asks for.
    asked: Option<ProtocolVersion>,
}

impl Message {
    pub(super) fn new(message: Outbound<'_>) -> Self {
        let (id, method, name) = match message.kind {
            Kind::Request { id, method, name } => (Some(id), method, name.map(Box::from)),
            Kind::Notification { method } => (None, method, None),
            Kind::Response => (None, "response", None),
        };
        let asked = (method == "initialize")
            .then(|| serde_json::from_slice::<Initialize<'_>>(&message.text).ok())
            .flatten()
            .and_then(|initialize| ProtocolVersion::known(initialize.params.version));
        Self {
            body: message.text.into(),
            id,
            method,
            name,
            asked,
        }
    }

    /// Whether it may be sent again although it may have arrived: everything but a tool's call, and what is told only
    /// once. A listening stream is reopened by whoever wants it.
    pub(super) fn is_repeatable(&self) -> bool {
        match self.id {
            Some(_) => !matches!(self.method, "tools/call" | "subscriptions/listen"),
            None => self.method == INITIALIZED,
        }
    }

    /// The headers that mirror parameters of a tool's call.
    pub(super) fn mirrored_headers(&self, endpoint: &Endpoint) -> Result<HeaderMap, RequestError> {
        let mut headers = HeaderMap::new();
        let tool = self.name.as_deref().filter(|_| self.method == "tools/call");
        let Some(mirrored) = tool.and_then(|tool| endpoint.mirrored(tool)) else {
            return Ok(headers);
        };
        let Ok(call) = serde_json::from_slice::<Call<'_>>(&self.body) else {
            return Ok(headers);
        };
        for parameter in mirrored.iter() {
            let header =
                parameter
                    .header(call.params.arguments)
                    .map_err(|message| RequestError::Input {
                        method: self.method,
                        message,
                    })?;
            let pair = header.and_then(|(name, value)| {
                Some((
                    HeaderName::from_bytes(name.as_bytes()).ok()?,
                    HeaderValue::from_str(&value).ok()?,
                ))
            });
            headers.extend(pair);
        }
        Ok(headers)
    }

    /// What its headers say of it, once this revision is settled.
    pub(super) fn purpose(&self, settled: Option<ProtocolVersion>) -> Purpose<'_> {
        Purpose {
            method: self.method,
            name: self.name.as_deref(),
            version: self.asked.or(settled),
        }
    }
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    params: CallParams<'a>,
}

#[derive(Deserialize)]
struct CallParams<'a> {
    #[serde(borrow)]
    arguments: &'a RawValue,
}

#[derive(Deserialize)]
struct Initialize<'a> {
    #[serde(borrow)]
    params: InitializeParams<'a>,
}

#[derive(Deserialize)]
struct InitializeParams<'a> {
    #[serde(rename = "protocolVersion")]
    version: &'a str,
}
