//! Server-sent events of a response body: the kept parser `sse-stream`, given what MCP needs beyond it.
//!
//! The parser reads events as WHATWG defines them. Around it: invalid UTF-8 is decoded lossily instead of ending the
//! stream, an event cut off by the end of the body is still delivered (design §11.6), as is a message whose blank line
//! does not come, and an event has a size limit.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use sse_stream::{Sse, SseByteStream};

use super::unended::Unended;

/// Why reading events ended before the body did.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SseError {
    #[error("an event of the answer is larger than {} MiB", limit / (1024 * 1024))]
    TooLarge { limit: usize },
    #[error("the response broke off")]
    Body(#[source] Cause),
}

type Cause = Box<dyn std::error::Error + Send + Sync>;
type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, Cause>> + Send>>;

/// The events of one response body.
pub(crate) struct SseReader {
    events: SseByteStream<Repaired>,
    /// Bytes read since the last event or comment, shared with the stream below the parser.
    pending: Arc<AtomicUsize>,
}

impl SseReader {
    /// Reads events from a body; one larger than `limit` bytes is an error.
    pub(crate) fn new<S, E>(body: S, limit: usize) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<Cause> + 'static,
    {
        let pending = Arc::new(AtomicUsize::new(0));
        let repaired = Repaired {
            chunks: Box::pin(body.map_err(Into::into)),
            tail: Vec::new(),
            ready: VecDeque::new(),
            ended: false,
            pending: Arc::clone(&pending),
            unended: Unended::default(),
            limit,
        };
        Self {
            events: SseByteStream::new(repaired),
            pending,
        }
    }

    /// The next event, or nothing at the end of the body.
    pub(crate) async fn next(&mut self) -> Option<Result<Sse, SseError>> {
        // A server that never stops would keep everybody else on this thread waiting.
        tokio::task::coop::consume_budget().await;
        let event = self.events.next().await?;
        self.pending.store(0, Ordering::Relaxed);
        Some(event.map_err(|error| match error {
            sse_stream::Error::Body(error) => match error.downcast::<SseError>() {
                Ok(own) => *own,
                Err(foreign) => SseError::Body(foreign),
            },
            other => SseError::Body(Box::new(other)),
        }))
    }
}

/// The bytes of a body with invalid UTF-8 replaced and one empty line added at the end.
struct Repaired {
    chunks: Chunks,
    /// The start of a character that a chunk ended within.
    tail: Vec<u8>,
    ready: VecDeque<Bytes>,
    ended: bool,
    pending: Arc<AtomicUsize>,
    unended: Unended,
    limit: usize,
}

impl Stream for Repaired {
    type Item = Result<Bytes, SseError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(bytes) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(bytes)));
            }
            if self.ended {
                return Poll::Ready(None);
            }
            let next = self.chunks.as_mut().poll_next(context);
            if next.is_pending() && self.unended.take_message() {
                // Two, since the first may only complete a line end of which the first half is there.
                return Poll::Ready(Some(Ok(Bytes::from_static(b"\n\n"))));
            }
            match ready!(next) {
                Some(Ok(chunk)) => {
                    let pending = self.pending.fetch_add(chunk.len(), Ordering::Relaxed);
                    if self.unended.note(&chunk, pending == 0) {
                        self.pending.store(0, Ordering::Relaxed);
                    }
                    if pending > self.limit {
                        self.ended = true;
                        return Poll::Ready(Some(Err(SseError::TooLarge { limit: self.limit })));
                    }
                    self.repair(chunk);
                }
                Some(Err(error)) => {
                    self.ended = true;
                    return Poll::Ready(Some(Err(SseError::Body(error))));
                }
                None => {
                    self.ended = true;
                    if self.unended.is_cut() {
                        continue;
                    }
                    if !self.tail.is_empty() {
                        self.ready
                            .push_back(Bytes::from_static("\u{fffd}".as_bytes()));
                    }
                    // Ends an event that the server did not end; after a complete one it is an idle empty line.
                    self.ready.push_back(Bytes::from_static(b"\n\n"));
                }
            }
        }
    }
}

impl Repaired {
    /// Passes a valid chunk on as it is; rewrites one that is not, or that continues a cut character.
    fn repair(&mut self, chunk: Bytes) {
        if self.tail.is_empty() && std::str::from_utf8(&chunk).is_ok() {
            self.ready.push_back(chunk);
            return;
        }
        let mut bytes = std::mem::take(&mut self.tail);
        bytes.extend_from_slice(&chunk);
        let mut valid = String::with_capacity(bytes.len());
        let mut rest = bytes.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    valid.push_str(text);
                    break;
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.valid_up_to());
                    valid.push_str(&String::from_utf8_lossy(good));
                    let Some(length) = error.error_len() else {
                        self.tail = bad.to_vec();
                        break;
                    };
                    valid.push('\u{fffd}');
                    rest = &bad[length..];
                }
            }
        }
        self.ready.push_back(valid.into());
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;
    use std::time::Duration;

    use bytes::Bytes;
    use futures_util::{StreamExt as _, stream};

    use super::{SseError, SseReader};

    /// Feeds the body in pieces of every size and returns what each event held, as `id|retry|data`.
    async fn events(body: &[u8], piece: usize, limit: usize) -> Vec<String> {
        let pieces: Vec<_> = body
            .chunks(piece)
            .map(|part| Ok::<_, io::Error>(Bytes::copy_from_slice(part)))
            .collect();
        let mut reader = SseReader::new(stream::iter(pieces), limit);
        let mut seen = Vec::new();
        while let Some(event) = reader.next().await {
            seen.push(match event {
                Ok(event) => format!(
                    "{}|{}|{}",
                    event.id.unwrap_or_default(),
                    event.retry.map(|ms| ms.to_string()).unwrap_or_default(),
                    event.data.unwrap_or_default()
                ),
                Err(SseError::TooLarge { .. }) => "too large".to_owned(),
                Err(error) => error.to_string(),
            });
        }
        seen
    }

    #[tokio::test]
    async fn events_survive_every_split_and_every_line_end() {
        for (body, expected) in [
            (&b"data: a\n\ndata: b\n\n"[..], vec!["||a", "||b"]),
            (
                b"data: a\r\n\r\ndata: b\r\rdata: c\n\n",
                vec!["||a", "||b", "||c"],
            ),
            (b": comment\n\ndata:x\ndata: y\n\n", vec!["||x\ny"]),
            (
                b"id: 0\nretry: 3000\ndata: \n\ndata: {}\n\n",
                vec!["0|3000|", "||{}"],
            ),
            (b"\xef\xbb\xbfdata: bom\n\n", vec!["||bom"]),
            (b"data: cut", vec!["||cut"]),
            (b"data: cut\n", vec!["||cut"]),
            (b"id: 1\ndata: {}", vec!["1||{}"]),
            (b"id: 1\ndata: {}\n\nid: 2\ndata: {\"cut\":", vec!["1||{}"]),
            (b"\xef\xbb\xbfdata: {\"cut\":", vec![]),
            ("data: é😀\n\n".as_bytes(), vec!["||é😀"]),
            (b"data: \xc7\xd1x\n\n", vec!["||\u{fffd}\u{fffd}x"]),
            (b"data: end\xe2\x82", vec!["||end\u{fffd}"]),
            (b"event: message\nunknown: 1\ndata: z\n\n", vec!["||z"]),
            (b"", vec![]),
        ] {
            for piece in 1..=body.len().max(1) {
                assert_eq!(
                    events(body, piece, 1024).await,
                    expected,
                    "{body:?} in pieces of {piece}"
                );
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_message_whose_blank_line_does_not_come_is_delivered() {
        for (chunks, expected) in [
            (&["data: {\"a\":1}\n"][..], "{\"a\":1}"),
            (&["data: {\"a\":1}\r\n"], "{\"a\":1}"),
            (&["data: {\"a\":1}\r"], "{\"a\":1}"),
            (
                &["data: {\"a\":1}\r", "\ndata: {}\r", "\n\r\n"],
                "{\"a\":1}\n{}",
            ),
            (&["event: message\nda", "ta: {\"a\"", ":1}\n"], "{\"a\":1}"),
            (&["data: {\"a\":\n", "data: 1}\n"], "{\"a\":\n1}"),
            (&["data: first\n\ndata: {}\n"], "first {}"),
            (&["data: first\n\ndata: {", "}\n"], "first {}"),
            (&["data: {}\n", "\n", "data: {\"b\":1}\n"], "{} {\"b\":1}"),
            (&["data: {\"a\":1\n"], ""),
            (&["data: {\"a\":1}"], ""),
            (&["data: wait\n"], ""),
            (&[": {}\n"], ""),
        ] {
            let chunks: Vec<_> = chunks
                .iter()
                .map(|text| Ok::<_, io::Error>(Bytes::from(*text)))
                .collect();
            let mut reader = SseReader::new(stream::iter(chunks).chain(stream::pending()), 1024);
            let mut seen = Vec::new();
            while let Ok(event) =
                tokio::time::timeout(Duration::from_millis(20), reader.next()).await
            {
                seen.extend(event.unwrap().unwrap().data);
            }
            assert_eq!(seen.join(" "), expected, "{expected}");
        }
    }

    #[tokio::test]
    async fn comments_that_keep_a_stream_alive_never_add_up() {
        let body = ": ping\n\n".repeat(100) + "data: still here\n\n";
        assert_eq!(events(body.as_bytes(), 8, 100).await, ["||still here"]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_keeps_a_stream_alive_is_not_kept() {
        /// A chunk as it was read: it holds the whole buffer.
        struct Chunk {
            text: &'static str,
            _buffer: Arc<()>,
        }

        impl AsRef<[u8]> for Chunk {
            fn as_ref(&self) -> &[u8] {
                self.text.as_bytes()
            }
        }

        for text in [":\r\n", ": ping\n", ":\n:\n", "\n", "data", "data: 1\ndata"] {
            let held = Arc::new(());
            let chunk = Bytes::from_owner(Chunk {
                text,
                _buffer: Arc::clone(&held),
            });
            let chunks = stream::iter(vec![Ok::<_, io::Error>(chunk)]);
            let mut reader = SseReader::new(chunks.chain(stream::pending()), 1024);
            let silent = tokio::time::timeout(Duration::from_secs(1), reader.next()).await;
            assert!(silent.is_err(), "{text:?}");
            assert_eq!(Arc::strong_count(&held), 1, "{text:?}");
            let pending = reader.pending.load(std::sync::atomic::Ordering::Relaxed);
            assert_eq!(pending > 0, text.contains("data"), "{text:?}");
        }
    }

    #[tokio::test]
    async fn a_flood_of_events_leaves_others_their_turn() {
        let flood =
            stream::iter((0..100_000).map(|_| Ok::<_, io::Error>(Bytes::from("data: x\n\n"))));
        let mut reader = SseReader::new(flood, 1024);
        let read = async { while reader.next().await.is_some() {} };
        tokio::select! {
            biased;
            () = read => panic!("nobody else had a turn"),
            () = tokio::task::yield_now() => {}
        }
    }

    #[tokio::test]
    async fn an_event_over_the_limit_ends_the_stream() {
        let body = [b"data: ok\n\ndata: ".as_slice(), &[b'x'; 500], b"\n\n"].concat();
        assert_eq!(events(&body, 7, 100).await, ["||ok", "too large"]);
        assert_eq!(events(&body, 7, 600).await.len(), 2);
    }
}
