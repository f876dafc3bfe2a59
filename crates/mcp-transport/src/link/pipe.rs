//! The outgoing side of a byte stream: whoever sends writes at once if the pipe takes it.
//! What it does not take waits in a bounded queue that one task drains; nobody waits for a lock.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, IoSlice};
use std::mem;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::io::AsyncWrite;

use super::{GaveUp, Kind, Link, Outbound, Refused};

/// A message is taken while less than this waits, so one message of full size always fits.
const ROOM: usize = 1024 * 1024;
/// Answers and notifications are never made to wait; beyond this they are refused.
const ROOM_FOR_CONTROL: usize = 2 * ROOM;

/// Messages that leave in one write at most.
const TOGETHER: usize = 64;

type Sink = Box<dyn AsyncWrite + Send + Unpin>;

/// The outgoing side of a byte stream.
pub(crate) struct Pipe {
    state: Mutex<State>,
}

struct State {
    sink: Option<Sink>,
    queue: VecDeque<Queued>,
    /// Bytes of the first message that are written already.
    written: usize,
    queued_bytes: usize,
    /// The sink holds something back that it has to be asked to pass on.
    unflushed: bool,
    broken: Option<io::Error>,
    /// The task that drains the queue.
    drainer: Option<Waker>,
    /// Callers that wait for room.
    waiting: Vec<Waker>,
}

struct Queued {
    /// With its line end.
    text: Vec<u8>,
    request: Option<u64>,
}

impl Pipe {
    pub(crate) fn new(sink: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        Self {
            state: Mutex::new(State {
                sink: Some(Box::new(sink)),
                queue: VecDeque::new(),
                written: 0,
                queued_bytes: 0,
                unflushed: false,
                broken: None,
                drainer: None,
                waiting: Vec::new(),
            }),
        }
    }

    /// Writes what waits, for as long as the pipe lives. Ready when it broke.
    pub(crate) fn poll_drain(&self, cx: &mut Context<'_>) -> Poll<io::Error> {
        let mut state = self.lock();
        state.write_queue(cx);
        let freed = state.freed();
        let broken = state.broken.take();
        if broken.is_none() {
            state.drainer = Some(cx.waker().clone());
        }
        drop(state);
        freed.into_iter().for_each(Waker::wake);
        broken.map_or(Poll::Pending, Poll::Ready)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Link for Pipe {
    fn send<'a>(&self, message: Outbound<'a>) -> Result<(), Refused<'a>> {
        let mut state = self.lock();
        if state.sink.is_none() {
            return Err(Refused::Closed);
        }
        let request = match message.kind {
            Kind::Request { id, .. } => Some(id),
            Kind::Notification { .. } | Kind::Response => None,
        };
        let room = if request.is_some() {
            ROOM
        } else {
            ROOM_FOR_CONTROL
        };
        if state.queued_bytes >= room {
            return Err(Refused::Full(message));
        }
        let mut text = message.text;
        text.push(b'\n');
        // With many requests under way each write would also wake the server for one message; the drainer
        // runs once those that are ready have sent theirs.
        let write_now = !message.gather && !state.needs_drainer();
        state.queued_bytes += text.len();
        state.queue.push_back(Queued { text, request });
        if write_now {
            // Nothing is lost by a waker that does nothing: the drainer asks again with its own if
            // anything is left. While something is left only the drainer polls the pipe, so its waker
            // stays the one that is registered.
            state.write_queue(&mut Context::from_waker(Waker::noop()));
        }
        let drainer = if state.needs_drainer() {
            state.drainer.take()
        } else {
            None
        };
        drop(state);
        if let Some(drainer) = drainer {
            drainer.wake();
        }
        Ok(())
    }

    fn poll_room(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.queued_bytes < ROOM || state.sink.is_none() {
            return Poll::Ready(());
        }
        state.waiting.push(cx.waker().clone());
        Poll::Pending
    }

    fn give_up(&self, id: u64) -> GaveUp {
        let mut state = self.lock();
        let begun = usize::from(state.written > 0);
        let Some(at) = state
            .queue
            .iter()
            .position(|queued| queued.request == Some(id))
        else {
            return GaveUp::MustTell;
        };
        if at < begun {
            return GaveUp::MustTell;
        }
        if let Some(taken) = state.queue.remove(at) {
            state.queued_bytes -= taken.text.len();
        }
        let freed = state.freed();
        drop(state);
        freed.into_iter().for_each(Waker::wake);
        GaveUp::NotSent
    }

    fn close(&self) {
        let (sink, woken) = {
            let mut state = self.lock();
            let mut woken = mem::take(&mut state.waiting);
            woken.extend(state.drainer.take());
            // The queue stays: it tells which requests were never begun.
            (state.sink.take(), woken)
        };
        if let Some(mut sink) = sink {
            // Half of a stream does not end by being dropped. Nobody waits for it either.
            let _ = Pin::new(&mut sink).poll_shutdown(&mut Context::from_waker(Waker::noop()));
        }
        woken.into_iter().for_each(Waker::wake);
    }
}

impl State {
    /// Writes as much as the pipe takes now.
    fn write_queue(&mut self, cx: &mut Context<'_>) {
        while !self.queue.is_empty() {
            match self.poll_write(cx) {
                Poll::Ready(Ok(0)) => return self.fail(io::ErrorKind::WriteZero.into()),
                Poll::Ready(Ok(count)) => self.wrote(count),
                Poll::Ready(Err(error)) => return self.fail(error),
                Poll::Pending => return,
            }
        }
        let Some(sink) = &mut self.sink else { return };
        // A sink that buffers by itself, as some in-memory ends do, has to pass everything on.
        match Pin::new(sink).poll_flush(cx) {
            Poll::Ready(Ok(())) => self.unflushed = false,
            Poll::Ready(Err(error)) => self.fail(error),
            Poll::Pending => self.unflushed = true,
        }
    }

    /// One write of the first message, or of several together.
    fn poll_write(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let Some(sink) = &mut self.sink else {
            return Poll::Pending;
        };
        let sink = Pin::new(sink);
        if let [Some(only), None] = [self.queue.front(), self.queue.get(1)] {
            return sink.poll_write(cx, &only.text[self.written..]);
        }
        let mut slices = [IoSlice::new(&[]); TOGETHER];
        let mut skip = self.written;
        for (queued, slice) in self.queue.iter().zip(&mut slices) {
            *slice = IoSlice::new(&queued.text[skip..]);
            skip = 0;
        }
        let count = self.queue.len().min(TOGETHER);
        sink.poll_write_vectored(cx, &slices[..count])
    }

    /// Bytes of the queue are written.
    fn wrote(&mut self, count: usize) {
        self.written += count;
        self.queued_bytes -= count;
        while let Some(first) = self.queue.front() {
            if self.written < first.text.len() {
                break;
            }
            self.written -= first.text.len();
            self.queue.pop_front();
        }
    }

    fn fail(&mut self, error: io::Error) {
        self.sink = None;
        self.broken = Some(error);
    }

    /// Those who may try again.
    fn freed(&mut self) -> Vec<Waker> {
        let room = self.queued_bytes < ROOM || self.sink.is_none();
        if room {
            mem::take(&mut self.waiting)
        } else {
            Vec::new()
        }
    }

    fn needs_drainer(&self) -> bool {
        !self.queue.is_empty() || self.unflushed || self.broken.is_some()
    }
}

impl fmt::Debug for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipe")
            .field("queued_bytes", &self.lock().queued_bytes)
            .finish_non_exhaustive()
    }
}
