//! What all parts of one connection share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

use super::Negotiated;
use super::pending::{Ended, Pending};
use super::serve::Serving;
use super::tasks::Tasks;
use crate::event::{Event, EventQueue, LogEntry};
use crate::link::{GaveUp, Kind, Link, Outbound};
use crate::method::KeptTools;
use crate::options::Options;
use crate::stats::{Counters, Stats};
use crate::wire::MessageWriter;
use crate::{DropReason, RequestError};

/// The core of one connection.
#[derive(Debug)]
pub(crate) struct Core {
    pub(super) link: Box<dyn Link>,
    pub(super) pending: Pending,
    pub(super) counters: Arc<Counters>,
    pub(super) serving: Serving,
    pub(crate) options: Options,
    pub(crate) tasks: Tasks,
    pub(crate) kept_tools: KeptTools,
    events: Arc<EventQueue>,
    negotiated: OnceLock<Negotiated>,
    dropped: OnceLock<Arc<DropReason>>,
    closing: AtomicBool,
    /// Cancelled when the connection is over, however it ended.
    pub(crate) over: CancellationToken,
}

impl Core {
    pub(crate) fn new(
        link: Box<dyn Link>,
        options: Options,
        events: Arc<EventQueue>,
        counters: Arc<Counters>,
    ) -> Arc<Self> {
        Arc::new(Self {
            link,
            pending: Pending::default(),
            counters,
            serving: Serving::default(),
            options,
            tasks: Tasks::default(),
            kept_tools: KeptTools::default(),
            events,
            negotiated: OnceLock::new(),
            dropped: OnceLock::new(),
            closing: AtomicBool::new(false),
            over: CancellationToken::new(),
        })
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    /// What the handshake settled; none before its end.
    pub(crate) fn negotiated(&self) -> Option<&Negotiated> {
        self.negotiated.get()
    }

    /// Settles the revision. The first one holds.
    pub(crate) fn settle(&self, negotiated: Negotiated) -> &Negotiated {
        self.negotiated.get_or_init(|| negotiated)
    }

    pub(crate) fn dropped(&self) -> Option<&Arc<DropReason>> {
        self.dropped.get()
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats {
            pending: self.pending.len() as u64,
            events_lost: self.events.lost.get(),
            ..self.counters.snapshot()
        }
    }

    /// Tells an event.
    pub(crate) fn tell(&self, event: Event) {
        self.events.push(event);
    }

    /// Tells a log entry, which must be masked, and keeps it in the server log.
    pub(crate) fn log(&self, entry: LogEntry) {
        self.options.write_log(&entry);
        self.events.push(Event::Log(entry));
    }

    /// Lets the link see the tools of a listing.
    pub(crate) fn listed(&self, tools: &mut crate::Listing<crate::Tool>) {
        self.link.listed(tools);
    }

    /// Sends a notification. A pipe that takes nothing loses it.
    pub(crate) fn notify(&self, method: &'static str, message: MessageWriter) {
        self.send_control(Outbound {
            text: message.finish(),
            kind: Kind::Notification { method },
            gather: false,
        });
    }

    /// Sends what must never wait: notifications and answers.
    pub(super) fn send_control(&self, message: Outbound<'_>) {
        let size = message.text.len();
        self.trace("sent", &message.text);
        if self.link.send(message).is_ok() {
            self.counters.sent.one();
            self.counters.bytes_sent.add(size);
        } else {
            self.counters.unsent.one();
        }
    }

    /// The connection ended without us: fails what waits, then tells the event. Only the first time, and
    /// not while we close.
    pub(crate) fn drop_connection(&self, reason: DropReason) {
        if self.closing.load(Ordering::SeqCst) {
            return self.finish(&Ended::Closed);
        }
        let reason = Arc::new(reason);
        if self.dropped.set(Arc::clone(&reason)).is_err() {
            return;
        }
        self.finish(&Ended::Dropped(Arc::clone(&reason)));
        // Whoever still waits for the handshake hears of it there.
        if self.negotiated().is_some() {
            self.tell(Event::Dropped(reason));
        }
    }

    /// We end the connection: nothing is told any more but what is read already.
    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
        self.finish(&Ended::Closed);
        // The events of a failed attempt go on with the next one.
        if self.negotiated().is_some() {
            self.events.end();
        }
    }

    /// Ends everything at once, tasks too; fine outside a runtime.
    pub(crate) fn abort(&self) {
        self.close();
        self.tasks.abort();
    }

    fn finish(&self, ended: &Ended) {
        self.link.close();
        for id in self.pending.end(ended) {
            let queued = self.link.give_up(id) == GaveUp::NotSent;
            self.pending.fail(id, ended, queued);
        }
        self.serving.stop();
        self.over.cancel();
    }

    /// Why nothing can be asked any more, for what was asked already.
    pub(crate) fn over_error(&self) -> RequestError {
        match self.dropped() {
            Some(reason) => Ended::Dropped(Arc::clone(reason)).error(true),
            None => RequestError::Closed,
        }
    }

    /// A payload, masked, for those who trace.
    pub(super) fn trace(&self, direction: &'static str, text: &[u8]) {
        if tracing::enabled!(tracing::Level::TRACE) {
            let text = String::from_utf8_lossy(text);
            let payload = self.options.mask.apply(&text);
            tracing::trace!(
                server = self.options.server_name,
                direction,
                payload = &*payload
            );
        }
    }
}
