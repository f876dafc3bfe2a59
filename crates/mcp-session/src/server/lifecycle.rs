//! The steps of a server's life: connecting, ready, dropped, failed, and the end. Each leaves a new
//! snapshot.

use std::iter;
use std::sync::Arc;
use std::time::Duration;

use mcp_transport::{
    CloseReport, DropReason, Event, Listing, LogRecord, LogSource, MAX_REQUEST, Tool,
};
use tokio::time::Instant;

use super::attempt::{self, Broken, Connected};
use super::failure::Failure;
use super::failure_kind::FailureKind;
use super::listing::ToolList;
use super::message::Waiter;
use super::owner::Owner;
use super::retire::{ServerReport, retire};
use super::shared::Live;
use super::stages::Stages;
use super::state::ServerState;

impl Owner {
    /// A connection in place of the current one, whatever it is.
    pub(super) fn restart(&mut self) {
        // The running attempt uses the old settings; those who wait for it wait for the next one.
        self.attempt = None;
        self.retire_current();
        self.connect();
    }

    pub(super) fn usable(&self) -> Option<&Arc<Live>> {
        self.view
            .live
            .as_ref()
            .filter(|live| !live.connection.dropped())
    }

    /// Begins an attempt unless one is running.
    pub(super) fn connect(&mut self) {
        if self.attempt.is_some() {
            return;
        }
        self.retire_current();
        let stages = Arc::new(Stages::new(self.hub.clone(), Arc::clone(&self.shared.name)));
        self.view.stages = Some(Arc::clone(&stages));
        let services = Arc::clone(&self.services);
        let attempt = attempt::attempt(self.spec.clone(), services, self.era, stages);
        self.attempt = Some(Box::pin(attempt));
        self.enter(ServerState::Connecting);
    }

    pub(super) fn connected(&mut self, connected: Connected) {
        self.end_stages();
        self.generation += 1;
        if self.generation > 1 {
            self.view.restarts += 1;
        }
        self.era = Some(connected.connection.server().era);
        // What was said during the handshake is known before the server counts as ready.
        let mut events = connected.events;
        let said: Vec<Event> = iter::from_fn(|| events.try_recv()).collect();
        self.events = Some(events);
        self.view.live = Some(Arc::new(Live::new(connected.connection, self.generation)));
        self.view.failure = None;
        self.take_listing(connected.listing);
        self.view.noise = said.iter().find_map(noise).map(Arc::from);
        self.enter(ServerState::Ready);
        self.tell_waiting(None);
        for event in said {
            self.heard(Some(event));
        }
    }

    fn end_stages(&self) {
        if let Some(stages) = &self.view.stages {
            stages.end();
        }
    }

    pub(super) fn failed(&mut self, broken: Broken) {
        self.end_stages();
        if let Some(connection) = broken.leftover {
            let live = Arc::new(Live::new(connection, self.generation));
            self.retire(live);
        }
        self.log_failure(&broken.failure);
        self.view.failure = Some(broken.failure.clone());
        self.view.tools = None;
        // It may speak another way by now: the next attempt asks.
        self.era = None;
        self.enter(ServerState::Failed);
        self.tell_waiting(Some(&broken.failure));
    }

    /// The attempt has ended: with a connection, or with this failure.
    pub(super) fn tell_waiting(&mut self, failure: Option<&Failure>) {
        for waiter in self.waiting.drain(..) {
            // Whoever has gone meanwhile needs no answer.
            let _ = match waiter {
                Waiter::Exchange(done) => done.send(()),
                Waiter::Call(reply) => {
                    let lease = match (failure, &self.view.live) {
                        (None, Some(live)) => Ok(live.lease()),
                        (failure, _) => Err(failure.cloned().unwrap_or_else(Failure::closed)),
                    };
                    reply.send(lease).map_err(drop)
                }
            };
        }
    }

    /// The connection knows of its end before the event reaches us.
    pub(super) fn notice_drop(&mut self) {
        let reason = self
            .view
            .live
            .as_ref()
            .and_then(|live| live.connection.drop_reason());
        if let Some(reason) = reason {
            self.dropped(&reason);
        }
    }

    pub(super) fn dropped(&mut self, reason: &DropReason) {
        let failure = Failure::new(reason.to_string())
            .of_kind(FailureKind::Exited)
            .with_stderr(reason.stderr_tail());
        self.log_failure(&failure);
        self.retire_current();
        self.view.failure = Some(failure);
        self.enter(ServerState::Dropped);
    }

    pub(super) fn start_refresh(&mut self) {
        let Some(live) = self.view.live.clone() else {
            return self.refresher.reset();
        };
        self.refresher.started();
        self.refresh = Some(Box::pin(
            async move { attempt::list(&live.connection).await },
        ));
    }

    pub(super) fn listed(&mut self, listing: Result<Listing<Tool>, Failure>) {
        let changed = match listing {
            Ok(listing) => self.take_listing(listing),
            Err(failure) => {
                // The last good listing stays; the server itself is as ready as before.
                self.log_failure(&Failure::new(format!(
                    "the changed tools could not be listed: {failure}"
                )));
                false
            }
        };
        self.refresher.ended(changed, Instant::now());
        self.publish();
    }

    fn take_listing(&mut self, listing: Listing<Tool>) -> bool {
        self.view.listings += 1;
        let newer = ToolList::newer(listing, self.view.tools.as_deref());
        let changed = newer.is_some();
        if let Some(list) = newer {
            self.view.tools = Some(Arc::new(list));
        }
        changed
    }

    /// One example is enough; the connection counts them all.
    pub(super) fn noise(&mut self, line: &str) {
        if self.view.noise.is_none() {
            self.view.noise = Some(Arc::from(line));
            self.publish();
        }
    }

    /// Takes the current connection out of the snapshot; it closes once its last call is done.
    pub(super) fn retire_current(&mut self) {
        self.events = None;
        self.refresh = None;
        self.refresher.reset();
        self.view.noise = None;
        if let Some(live) = self.view.live.take() {
            live.mark_retired();
            self.retire(live);
        }
    }

    fn retire(&mut self, live: Arc<Live>) {
        let patience: Duration = self.spec.entry.max_request().unwrap_or(MAX_REQUEST);
        self.retired += 1;
        let (number, closing) = (self.retired, self.closing.clone());
        self.retiring
            .spawn(async move { (number, retire(live, patience, closing).await) });
    }

    pub(super) fn closed(&mut self, report: (u64, CloseReport)) {
        if self
            .last_close
            .as_ref()
            .is_none_or(|(newest, _)| *newest < report.0)
        {
            self.last_close = Some(report);
        }
    }

    fn enter(&mut self, state: ServerState) {
        tracing::debug!(server = %self.shared.name, %state, "server state");
        self.view.state = state;
        self.view.since = Instant::now();
        self.publish();
    }

    fn publish(&mut self) {
        self.view.in_doubt = self.refresher.in_doubt();
        self.shared.view.store(Arc::new(self.view.clone()));
        self.hub.changed(&self.shared.name);
    }

    /// An exchange that begins looks at the snapshot to learn whether it has to ask for a new
    /// listing.
    pub(super) fn publish_doubt(&mut self) {
        if self.view.in_doubt != self.refresher.in_doubt() {
            self.publish();
        }
    }

    fn log_failure(&self, failure: &Failure) {
        if let Some(log) = &self.services.log {
            let data = &failure.message;
            log.write(LogRecord {
                server: &self.shared.name,
                level: "error",
                logger: None,
                data,
            });
        }
    }

    /// Interrupts what is running, lets the connections go, and leaves the report.
    pub(super) async fn end(mut self: Box<Self>) {
        self.inbox.close();
        // What came too late is answered by being dropped, before the connections take their time.
        while self.inbox.try_recv().is_ok() {}
        self.attempt = None;
        let failure = if self.closing.is_cancelled() {
            Failure::closed()
        } else {
            Failure::removed()
        };
        self.tell_waiting(Some(&failure));
        self.retire_current();
        self.enter(ServerState::Stopping);
        while let Some(closed) = self.retiring.join_next().await {
            if let Ok(report) = closed {
                self.closed(report);
            }
        }
        let report = ServerReport::new(
            &self.shared.name,
            self.last_close.as_ref().map(|(_, close)| close),
        );
        // Set once: this is the only place that does.
        let _ = self.shared.report.set(report);
        self.enter(ServerState::Stopped);
    }
}

/// A line on standard output that was no message.
fn noise(event: &Event) -> Option<&str> {
    match event {
        Event::Log(entry) if entry.source == LogSource::Stdout => Some(&entry.data),
        _ => None,
    }
}
