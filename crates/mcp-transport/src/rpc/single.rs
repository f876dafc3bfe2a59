//! Ends of single requests, for a link that carries each on its own.

use super::Core;
use super::server_error::server_error;
use crate::RequestError;
use crate::wire::{Envelope, Outcome};

impl Core {
    /// Whether a request still waits for its answer.
    pub(crate) fn waits_for(&self, id: u64) -> bool {
        self.pending.waits(id)
    }

    /// Fails a request, if it still waits; the error may name its method.
    pub(crate) fn fail(&self, id: u64, error: impl FnOnce(&'static str) -> RequestError) {
        self.pending.settle(id, |method| Err(error(method)));
    }

    /// The JSON-RPC error that the body of a refusal holds, masked.
    pub(crate) fn refusal(
        &self,
        method: &'static str,
        body: &str,
        status: u16,
    ) -> Option<RequestError> {
        let envelope = Envelope::parse(body).ok()?;
        let Outcome::Error(range) = envelope.into_outcome(body) else {
            return None;
        };
        match server_error(method, &body[range], &self.options.mask) {
            RequestError::Server {
                code,
                message,
                data,
                ..
            } => Some(RequestError::Server {
                code,
                message,
                data,
                http_status: Some(status),
            }),
            _ => None,
        }
    }

    /// Text of a server, masked.
    pub(crate) fn masked(&self, text: &str) -> String {
        self.options.mask.apply(text).into_owned()
    }
}
