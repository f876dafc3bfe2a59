//! The reading end of a connection's events.

use std::future::poll_fn;
use std::sync::Arc;

use super::{Event, EventQueue};

/// The events of one connection, in the order in which they happened.
///
/// Unread changes of one kind are one event. Log entries beyond a bound are lost and counted in
/// [`Stats::events_lost`](crate::Stats::events_lost); nothing else is ever lost. Dropping it is fine.
///
/// ```
/// # use mcp_transport::{Connection, Event, Events};
/// async fn watch(mut events: Events) {
///     while let Some(event) = events.recv().await {
///         match event {
///             Event::ToolsChanged => { /* list them at the next exchange */ }
///             Event::Dropped(reason) => tracing::warn!(%reason, "server gone"),
///             _ => {}
///         }
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Events {
    queue: Arc<EventQueue>,
}

impl Events {
    pub(crate) fn new(queue: Arc<EventQueue>) -> Self {
        Self { queue }
    }

    /// The next event; `None` once the connection is closed or dropped and everything was read.
    /// Nothing is lost if the future is dropped.
    pub async fn recv(&mut self) -> Option<Event> {
        poll_fn(|cx| self.queue.poll(cx)).await
    }

    /// The next event, if there is one now.
    pub fn try_recv(&mut self) -> Option<Event> {
        self.queue.take()
    }
}
