//! Gives an entry that was read from a text alone the origin that its maker names.

use std::sync::Arc;

use super::origin::{Origin, Sourced};
use super::server::ServerEntry;
use super::transport::{HttpEntry, StdioEntry, Transport};

impl ServerEntry {
    pub(super) fn with_origin(self, origin: &Origin) -> Self {
        // Every field is named, so that a new one cannot be forgotten here.
        let ServerEntry {
            name,
            origin: _,
            replaced,
            type_origin,
            transport,
            enabled,
            exposure,
            tool_exposure,
            start_timeout,
            request_timeout,
            max_request,
        } = self;
        ServerEntry {
            name,
            origin: origin.clone(),
            replaced,
            type_origin: type_origin.map(|_| origin.clone()),
            transport: Arc::new(Transport::clone(&transport).with_origin(origin)),
            enabled: moved(enabled, origin),
            exposure: moved(exposure, origin),
            tool_exposure: moved(tool_exposure, origin),
            start_timeout: moved(start_timeout, origin),
            request_timeout: moved(request_timeout, origin),
            max_request: moved(max_request, origin),
        }
    }
}

impl Transport {
    fn with_origin(self, origin: &Origin) -> Self {
        match self {
            Transport::Stdio(StdioEntry {
                command,
                args,
                env,
                cwd,
            }) => Transport::Stdio(StdioEntry {
                command: command.with_origin(origin),
                args: args
                    .into_iter()
                    .map(|arg| arg.with_origin(origin))
                    .collect(),
                env: pairs(env, origin),
                cwd: moved(cwd, origin),
            }),
            Transport::Http(HttpEntry { url, headers }) => Transport::Http(HttpEntry {
                url: url.with_origin(origin),
                headers: pairs(headers, origin),
            }),
        }
    }
}

fn moved<T>(value: Option<Sourced<T>>, origin: &Origin) -> Option<Sourced<T>> {
    value.map(|value| value.with_origin(origin))
}

fn pairs<T>(pairs: Vec<(String, Sourced<T>)>, origin: &Origin) -> Vec<(String, Sourced<T>)> {
    pairs
        .into_iter()
        .map(|(name, value)| (name, value.with_origin(origin)))
        .collect()
}
