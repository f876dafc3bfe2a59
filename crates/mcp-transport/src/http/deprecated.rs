//! Recognises the deprecated HTTP+SSE transport of 2024-11-05, so that the error can name it.

use std::time::Duration;

use tokio::time::timeout;

use super::endpoint::{Endpoint, Purpose};
use super::listen::open_stream;
use super::sse::SseReader;
use crate::{ConnectError, RequestError};

/// How long its first event may take.
const FIRST_EVENT: Duration = Duration::from_secs(3);
/// More than an `endpoint` event ever needs.
const MAX_EVENT: usize = 64 * 1024;

/// Whether a failed handshake is one that such a server would cause (2026-07-28, basic/transports/streamable-http
/// §HTTP+SSE Transport).
pub(super) fn may_be_meant(error: &ConnectError) -> bool {
    matches!(
        error,
        ConnectError::Request(RequestError::Http {
            status: 400 | 404 | 405,
            ..
        })
    )
}

/// Whether a GET opens a stream that begins with an `endpoint` event.
pub(super) async fn is_spoken(endpoint: &Endpoint) -> bool {
    let purpose = Purpose {
        method: "GET",
        name: None,
        version: None,
    };
    let first = async {
        let response = open_stream(endpoint, purpose, None).await.ok()?;
        let mut events = SseReader::new(response.bytes_stream(), MAX_EVENT);
        events.next().await?.ok()?.event
    };
    timeout(FIRST_EVENT, first).await.ok().flatten().as_deref() == Some("endpoint")
}
