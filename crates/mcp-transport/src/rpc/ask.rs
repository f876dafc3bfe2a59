//! The one function that every request goes through.

use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::sleep_until;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::deadline::Deadline;
use super::pending::Step;
use super::{Core, Reply};
use crate::RequestError;
use crate::call_options::ProgressCallback;
use crate::link::{GaveUp, Kind, Outbound, Refused};
use crate::wire::{MAX_MESSAGE, MessageWriter, ObjectWriter};

/// From so many other requests under way on, a request leaves together with those that are sent at the same
/// moment. Fewer would only wait for each other.
const GATHER: usize = 3;

/// What a request is, apart from its parameters.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a> {
    pub(crate) method: &'static str,
    /// The tool, prompt or resource that it is about.
    pub(crate) name: Option<&'a str>,
    pub(crate) meta: Meta<'a>,
    /// A progress token is sent.
    pub(crate) progress: bool,
    /// The server is told when the request is given up. Never for the handshake.
    pub(crate) cancellable: bool,
    pub(crate) timeout: Duration,
    pub(crate) max_total: Duration,
    pub(crate) cancel: Option<&'a CancellationToken>,
    pub(crate) on_progress: Option<&'a ProgressCallback>,
    /// How many bytes the parameters may need.
    pub(crate) room: usize,
}

/// What `_meta` says about us.
#[derive(Clone, Copy)]
pub(crate) enum Meta<'a> {
    /// What the handshake settled.
    Negotiated,
    /// These members: the handshake itself.
    Given(&'a str),
    Nothing,
}

impl Core {
    /// Sends a request and waits for its result, its deadline, the end of the connection, or until its
    /// caller gives it up. Dropping the future gives it up too.
    pub(crate) async fn ask(
        &self,
        ask: &Ask<'_>,
        params: impl Fn(&mut ObjectWriter<'_>),
    ) -> Result<Reply, RequestError> {
        let server = self.options.server_name.as_str();
        let span = tracing::debug_span!("mcp.request", server, method = ask.method);
        self.exchange(ask, params).instrument(span).await
    }

    async fn exchange(
        &self,
        ask: &Ask<'_>,
        params: impl Fn(&mut ObjectWriter<'_>),
    ) -> Result<Reply, RequestError> {
        let strict = self.negotiated().is_none();
        let (id, others) = self
            .pending
            .open(ask.method, strict, ask.on_progress.is_some())?;
        let mut entry = OpenEntry {
            core: self,
            id,
            ask,
            open: true,
            reason: "abandoned by the caller",
        };
        let mut message = Some(self.request(id, ask, params, others >= GATHER)?);
        let deadline = Deadline::new(ask.timeout, ask.max_total);
        let mut sleep = pin!(sleep_until(deadline.end(None)));
        let mut cancelled = pin!(cancelled(ask.cancel));
        poll_fn(|cx| {
            self.poll_send(id, &mut message, cx);
            if let Poll::Ready(answer) = self.poll_answer(id, ask, cx) {
                entry.open = false;
                return Poll::Ready(answer);
            }
            if cancelled.as_mut().poll(cx).is_ready() {
                entry.reason = "cancelled by the caller";
                return Poll::Ready(Err(RequestError::Cancelled { method: ask.method }));
            }
            deadline
                .poll(sleep.as_mut(), || self.pending.heard(id), cx)
                .map(|after| {
                    entry.reason = "no answer in time";
                    let notes = self.pending.notes(id);
                    Err(RequestError::Timeout {
                        method: ask.method,
                        after,
                        notes,
                    })
                })
        })
        .await
    }

    /// The answer, once it is there; tells the progress that came before it.
    fn poll_answer(
        &self,
        id: u64,
        ask: &Ask<'_>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Reply, RequestError>> {
        loop {
            match ready!(self.pending.poll(id, cx)) {
                Step::Answer(answer) => return Poll::Ready(answer),
                Step::Progress(progress) => {
                    if let Some(callback) = ask.on_progress {
                        for progress in progress {
                            callback.call(progress);
                        }
                    }
                }
            }
        }
    }

    /// Hands the message to the link, or keeps it until there is room.
    fn poll_send(&self, id: u64, message: &mut Option<Outbound<'_>>, cx: &mut Context<'_>) {
        while let Some(outbound) = message.take() {
            let size = outbound.text.len();
            // Before the link has it: a server may run the request and crash before the link returns, and what is told
            // not to have been sent is sent again.
            if !self.pending.mark_sent(id) {
                return;
            }
            match self.link.send(outbound) {
                Ok(()) => {
                    self.counters.sent.one();
                    self.counters.bytes_sent.add(size);
                }
                // The end of the connection is about to be told, with its reason.
                Err(Refused::Closed) => self.pending.mark_unsent(id),
                Err(Refused::Full(outbound)) => {
                    self.pending.mark_unsent(id);
                    *message = Some(outbound);
                    if self.link.poll_room(cx).is_pending() {
                        return;
                    }
                }
            }
        }
    }

    fn request<'a>(
        &self,
        id: u64,
        ask: &Ask<'a>,
        params: impl Fn(&mut ObjectWriter<'_>),
        gather: bool,
    ) -> Result<Outbound<'a>, RequestError> {
        let negotiated = self
            .negotiated()
            .filter(|_| matches!(ask.meta, Meta::Negotiated));
        let room = ask.room + negotiated.map_or(0, super::Negotiated::room);
        let has_meta = ask.progress
            || matches!(ask.meta, Meta::Given(_))
            || negotiated.is_some_and(super::Negotiated::has_meta);
        let message = MessageWriter::request(id, ask.method, room).params(|object| {
            params(object);
            if !has_meta {
                return;
            }
            object.object("_meta", |meta| {
                match (ask.meta, negotiated) {
                    (Meta::Given(members), _) => meta.members(members),
                    (_, Some(negotiated)) => negotiated.write_meta(meta),
                    _ => {}
                }
                if ask.progress {
                    meta.value("progressToken", &id);
                }
            });
        });
        let text = message.finish();
        if text.len() > MAX_MESSAGE {
            let (method, size) = (ask.method, text.len());
            return Err(RequestError::TooLarge {
                method,
                size,
                limit: MAX_MESSAGE,
            });
        }
        self.trace("sent", &text);
        Ok(Outbound {
            text,
            gather,
            kind: Kind::Request {
                id,
                method: ask.method,
                name: ask.name,
            },
        })
    }
}

/// A request's place in the table. However its caller leaves, the place is freed, and a server that may
/// be at work on it is told, without waiting.
struct OpenEntry<'a> {
    core: &'a Core,
    id: u64,
    ask: &'a Ask<'a>,
    /// No answer was taken yet.
    open: bool,
    reason: &'static str,
}

impl Drop for OpenEntry<'_> {
    fn drop(&mut self) {
        if !self.open || !self.core.pending.give_up(self.id) {
            return;
        }
        if self.core.link.give_up(self.id) != GaveUp::MustTell || !self.ask.cancellable {
            return;
        }
        let method = "notifications/cancelled";
        let message = MessageWriter::notification(method).params(|params| {
            params.value("requestId", &self.id);
            params.value("reason", self.reason);
        });
        self.core.notify(method, message);
    }
}

async fn cancelled(token: Option<&CancellationToken>) {
    match token {
        Some(token) => token.cancelled().await,
        None => pending().await,
    }
}
