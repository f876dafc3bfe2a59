//! Streams of events: the answer to one request, resumed where the server allows it.

use std::borrow::Cow;
use std::time::Duration;

use reqwest::Response;
use reqwest::header::HeaderValue;
use tokio::sync::SemaphorePermit;
use tokio::time::{sleep, timeout};

use super::answer::{DRAIN, expire_if_told, lost_in_disguise, masked_excerpt};
use super::listen::{NoStream, open_stream};
use super::media::Media;
use super::post::Post;
use super::sse::{SseError, SseReader};
use crate::wire::MAX_MESSAGE;
use crate::{Era, NetworkFailure, RequestError};

/// How often a stream is resumed without a message in between.
const MAX_RESUMES: u32 = 5;
/// The wait before a stream is resumed, if the server names none.
const DEFAULT_RETRY: Duration = Duration::from_secs(1);
/// The longest wait that a server may ask for.
const MAX_RETRY: Duration = Duration::from_mins(1);
/// The shortest wait before that, whatever the server says.
const MIN_RETRY: Duration = Duration::from_millis(50);

/// Where a stream stands.
#[derive(Debug, Default)]
pub(super) struct Cursor {
    pub(super) last_id: Option<HeaderValue>,
    retry: Option<Duration>,
    /// The last data that was no message, for the error of a request that gets no answer.
    last_words: Option<String>,
}

impl Cursor {
    pub(super) fn note(&mut self, event: &sse_stream::Sse) {
        if let Some(id) = &event.id {
            // An empty id takes the cursor back (WHATWG HTML §9.2.6).
            self.last_id = HeaderValue::from_bytes(id.as_bytes())
                .ok()
                .filter(|id| !id.is_empty());
        }
        if let Some(retry) = event.retry {
            self.retry = Some(Duration::from_millis(retry));
        }
    }

    /// How long to wait before the stream is asked for again; never less than `least`, never for hours.
    pub(super) fn wait(&self, least: Duration) -> Duration {
        self.retry
            .unwrap_or(DEFAULT_RETRY)
            .clamp(least.min(MAX_RETRY), MAX_RETRY)
    }
}

/// Reads the events of a response until the request has its answer.
pub(super) async fn follow(
    post: &Post,
    id: u64,
    response: Response,
    permit: Option<SemaphorePermit<'_>>,
) -> Result<(), RequestError> {
    let mut cursor = Cursor::default();
    let mut fruitless = 0;
    let mut response = response;
    let mut permit = permit;
    loop {
        let mut events = SseReader::new(response.bytes_stream(), MAX_MESSAGE);
        let resumed = cursor.last_id.clone();
        let end = loop {
            match read_one(post, &mut events, &mut cursor).await {
                // A message that comes again with each resumption is no step forward.
                Read::Message if cursor.last_id != resumed => fruitless = 0,
                Read::Message | Read::Nothing => {}
                Read::Failed(error) => return Err(error),
                Read::End(reason) => break reason,
            }
            if !post.core.waits_for(id) {
                drop(permit.take());
                // A stream that goes on is cut off with its connection.
                let _ = timeout(DRAIN, drain(post, &mut events)).await;
                return Ok(());
            }
        };
        if !post.core.waits_for(id) {
            return Ok(());
        }
        response = match resume(post, &cursor, &mut fruitless).await {
            Some(response) => response,
            None => return Err(broken_off(post, &end, cursor.last_words.as_deref()).await),
        };
    }
}

enum Read {
    Message,
    /// An event without a message, such as one that only carries an id.
    Nothing,
    Failed(RequestError),
    End(String),
}

async fn read_one(post: &Post, events: &mut SseReader, cursor: &mut Cursor) -> Read {
    match events.next().await {
        Some(Ok(event)) => {
            cursor.note(&event);
            let Some(data) = event.data.filter(|data| !data.trim().is_empty()) else {
                return Read::Nothing;
            };
            if let Err(error) = lost_in_disguise(post, data.as_bytes()).await {
                return Read::Failed(error);
            }
            if !data.contains("\"jsonrpc\"") {
                cursor.last_words =
                    Some(masked_excerpt(&post.core, data.as_bytes(), &Media::Absent));
            }
            post.core.receive_text(Cow::Owned(fitted(data)));
            Read::Message
        }
        Some(Err(error @ SseError::TooLarge { .. })) => {
            Read::Failed(post.http_error(200, error.to_string()))
        }
        Some(Err(SseError::Body(error))) => {
            Read::End(format!("the response broke off before the answer: {error}"))
        }
        None => Read::End("the response ended without an answer".to_owned()),
    }
}

/// The data without the room that its reader had left for more, which a kept result would hold on to.
fn fitted(mut data: String) -> String {
    const WORTHWHILE: usize = 4096;
    if data.capacity() - data.len() > WORTHWHILE {
        data.shrink_to_fit();
    }
    data
}

/// Asks for the rest of a stream (2025-11-25, basic/transports §Resumability and Redelivery).
async fn resume(post: &Post, cursor: &Cursor, fruitless: &mut u32) -> Option<Response> {
    let negotiated = post.core.negotiated()?;
    if negotiated.version.era() == Era::Stateless {
        return None;
    }
    let last_id = cursor.last_id.clone()?;
    while *fruitless < MAX_RESUMES {
        *fruitless += 1;
        sleep(cursor.wait(MIN_RETRY)).await;
        match open_stream(&post.link.endpoint, post.purpose(), Some(last_id.clone())).await {
            Ok(response) => return Some(response),
            Err(NoStream::Refused | NoStream::NotFound) => return None,
            Err(NoStream::Unreachable) => {}
        }
    }
    None
}

/// Reads what a stream still has after the answer; a notification may be in it.
async fn drain(post: &Post, events: &mut SseReader) {
    while let Some(Ok(event)) = events.next().await {
        if let Some(data) = event.data.filter(|data| !data.trim().is_empty()) {
            post.core.receive(Cow::Owned(data.into_bytes()));
        }
    }
}

async fn broken_off(post: &Post, end: &str, last_words: Option<&str>) -> RequestError {
    let mut message = post.core.masked(end);
    if let Some(words) = last_words {
        expire_if_told(post, words.as_bytes()).await;
        message.push_str(": ");
        message.push_str(words);
    }
    RequestError::Network {
        method: post.message.method,
        message,
        cause: NetworkFailure::Connection,
        sent: true,
    }
}
