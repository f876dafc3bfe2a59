//! The stream on which a server of the initialize era speaks on its own, opened by GET.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Method, Response};
use tokio::time::{Instant, sleep, timeout};

use super::answer::expire;
use super::endpoint::{Endpoint, LAST_EVENT_ID, Purpose};
use super::media::Media;
use super::network::is_transient;
use super::redirect::send_bare;
use super::retry;
use super::sse::SseReader;
use super::stream::Cursor;
use crate::rpc::Core;
use crate::wire::MAX_MESSAGE;

/// How long the answer to a request for a stream may take to begin.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// The waits before a stream that ended is opened again: they grow while streams are short.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));
/// After this many refusals in a row of a stream that once was open there is none any more.
const MAX_REFUSALS: u32 = 10;

/// Listens for as long as the connection lives. A server that refuses at first has no such stream (design §11.7).
pub(super) async fn listen(endpoint: Arc<Endpoint>, core: Arc<Core>) {
    let over = core.over.clone();
    tokio::select! {
        () = over.cancelled() => {}
        () = keep_open(&endpoint, &core) => {}
    }
}

async fn keep_open(endpoint: &Endpoint, core: &Arc<Core>) {
    let purpose = Purpose {
        method: "GET",
        name: None,
        version: core.negotiated().map(|negotiated| negotiated.version),
    };
    let mut cursor = Cursor::default();
    let (mut pause, mut refusals, mut was_open) = (PAUSE.0, 0, false);
    while !endpoint.is_expired() && refusals < MAX_REFUSALS {
        let opened = Instant::now();
        match open_stream(endpoint, purpose, cursor.last_id.clone()).await {
            Ok(response) => {
                (was_open, refusals) = (true, 0);
                read(response, &mut cursor, core).await;
            }
            Err(NoStream::Refused | NoStream::NotFound) if !was_open => return,
            // It was there before, so it is the session that is not found (2025-11-25, basic/transports §Session
            // Management). Nothing would be heard until the next request finds that out.
            Err(NoStream::NotFound) if endpoint.session().is_some() => {
                return expire(endpoint, core).await;
            }
            Err(_) => refusals += 1,
        }
        // A stream that lived for a while ended for a good reason.
        pause = if opened.elapsed() > PAUSE.1 {
            PAUSE.0
        } else {
            (pause * 2).min(PAUSE.1)
        };
        sleep(cursor.wait(pause)).await;
    }
}

async fn read(response: Response, cursor: &mut Cursor, core: &Arc<Core>) {
    let mut events = SseReader::new(response.bytes_stream(), MAX_MESSAGE);
    while let Some(Ok(event)) = events.next().await {
        cursor.note(&event);
        if let Some(data) = event.data.filter(|data| !data.trim().is_empty()) {
            core.receive_text(Cow::Owned(data));
        }
    }
}

/// Why there is no stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoStream {
    /// The server refuses, or says nothing.
    Refused,
    /// The server knows nothing of the kind.
    NotFound,
    /// The server is not to be reached just now, and may be later.
    Unreachable,
}

/// Opens a stream by GET.
pub(super) async fn open_stream(
    endpoint: &Endpoint,
    purpose: Purpose<'_>,
    last_id: Option<HeaderValue>,
) -> Result<Response, NoStream> {
    let credential = match &endpoint.spec.auth {
        Some(provider) => provider.credential().await,
        None => None,
    };
    let mut headers = endpoint.stream_headers(purpose, credential.as_ref());
    if let Some(last_id) = last_id {
        headers.insert(LAST_EVENT_ID, last_id);
    }
    let sent = send_bare(endpoint, Method::GET, &headers);
    let response = match timeout(HEADER_TIMEOUT, sent).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) if is_transient(&error) => return Err(NoStream::Unreachable),
        Ok(Err(_)) | Err(_) => return Err(NoStream::Refused),
    };
    if retry::is_transient(response.status().as_u16()) {
        return Err(NoStream::Unreachable);
    }
    let media = Media::of(
        response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok()),
    );
    match response.status().as_u16() {
        200..300 if media == Media::EventStream => Ok(response),
        404 => Err(NoStream::NotFound),
        _ => Err(NoStream::Refused),
    }
}
