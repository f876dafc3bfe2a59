//! The queue behind [`Events`](super::Events): bounded, ordered, never waiting.
//! Changes that are not read yet are kept once; only log entries can be lost.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::Event;
use crate::stats::Counter;

/// Unread log entries kept; a host that never reads its events must not fill the memory.
const MAX_LOGS: usize = 1024;
/// Bytes of unread log entries kept.
const MAX_LOG_BYTES: usize = 1024 * 1024;
/// Unread updates of different resources kept; beyond it a change of the whole list says the same.
const MAX_UPDATES: usize = 1024;
/// Bytes of their URIs, for the same.
const MAX_UPDATE_BYTES: usize = 1024 * 1024;

#[derive(Debug, Default)]
pub(crate) struct EventQueue {
    state: Mutex<State>,
    pub(crate) lost: Counter,
}

#[derive(Debug, Default)]
struct State {
    events: VecDeque<Event>,
    logs: usize,
    log_bytes: usize,
    updates: usize,
    update_bytes: usize,
    ended: bool,
    waker: Option<Waker>,
}

impl EventQueue {
    /// Adds an event, unless the stream has ended.
    pub(crate) fn push(&self, mut event: Event) {
        let mut state = self.lock();
        if state.is_full_for(&event) {
            event = Event::ResourcesChanged;
        }
        if state.ended || !state.admit(&event) {
            if matches!(event, Event::Log(_)) {
                self.lost.one();
            }
            return;
        }
        state.ended = matches!(event, Event::Dropped(_));
        state.events.push_back(event);
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Ends the stream: what was pushed before is still read.
    pub(crate) fn end(&self) {
        let waker = {
            let mut state = self.lock();
            state.ended = true;
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    pub(crate) fn poll(&self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        let mut state = self.lock();
        if let Some(event) = state.take() {
            return Poll::Ready(Some(event));
        }
        if state.ended {
            return Poll::Ready(None);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    pub(crate) fn take(&self) -> Option<Event> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether the event is an update of a resource for which there is no room.
    fn is_full_for(&self, event: &Event) -> bool {
        let Event::ResourceUpdated { uri } = event else {
            return false;
        };
        self.updates >= MAX_UPDATES || self.update_bytes + uri.len() > MAX_UPDATE_BYTES
    }

    /// Whether the event has a place in the queue; counts it in if so.
    fn admit(&mut self, event: &Event) -> bool {
        match event {
            Event::Log(entry) => {
                let size = entry.size();
                if self.logs >= MAX_LOGS || self.log_bytes + size > MAX_LOG_BYTES {
                    return false;
                }
                self.logs += 1;
                self.log_bytes += size;
                true
            }
            Event::ResourceUpdated { uri } => {
                let known = |kept: &Event| matches!(kept, Event::ResourceUpdated { uri: other } if other == uri);
                if self.events.iter().any(known) {
                    return false;
                }
                self.updates += 1;
                self.update_bytes += uri.len();
                true
            }
            Event::ToolsChanged | Event::ResourcesChanged | Event::PromptsChanged => {
                let kind = std::mem::discriminant(event);
                !self
                    .events
                    .iter()
                    .any(|kept| std::mem::discriminant(kept) == kind)
            }
            Event::SessionExpired | Event::Dropped(_) => true,
        }
    }

    fn take(&mut self) -> Option<Event> {
        let event = self.events.pop_front()?;
        match &event {
            Event::Log(entry) => {
                self.logs -= 1;
                self.log_bytes -= entry.size();
            }
            Event::ResourceUpdated { uri } => {
                self.updates -= 1;
                self.update_bytes -= uri.len();
            }
            _ => {}
        }
        Some(event)
    }
}
