//! The one task that owns a server: it alone connects, replaces, refreshes and ends, one step at a
//! time, and publishes each new state as a snapshot. It never waits for anything but its next
//! event.

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwap;
use mcp_transport::{CloseReport, Era, Event, Events, Listing, LogSource, Tool};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::attempt::{Broken, Connected, ServerSpec, Services};
use super::failure::Failure;
use super::message::{Begin, Command, Waiter};
use super::refresh::Refresher;
use super::shared::{Lease, Shared, View};
use super::state::ServerState;
use crate::status::Hub;

pub(super) type Task<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Starts the owner of a new server in `tasks`; it begins to connect at once.
pub(crate) fn spawn(
    name: &str,
    spec: ServerSpec,
    services: Arc<Services>,
    hub: Hub,
    closing: CancellationToken,
    tasks: &mut JoinSet<()>,
) -> (Arc<Shared>, oneshot::Receiver<()>) {
    let (sender, inbox) = mpsc::unbounded_channel();
    let view = View {
        state: ServerState::Connecting,
        since: Instant::now(),
        live: None,
        tools: None,
        failure: None,
        restarts: 0,
        listings: 0,
        noise: None,
        stages: None,
        in_doubt: false,
    };
    let shared = Arc::new(Shared {
        name: Arc::from(name),
        view: ArcSwap::from_pointee(view.clone()),
        owner: sender,
        ended: CancellationToken::new(),
        report: OnceLock::new(),
    });
    // A future holds what it takes by value once for each step that passes it on.
    let owner = Box::new(Owner {
        shared: Arc::clone(&shared),
        services,
        hub,
        closing,
        spec,
        inbox,
        view,
        attempt: None,
        waiting: Vec::new(),
        events: None,
        refresher: Refresher::default(),
        refresh: None,
        retiring: JoinSet::new(),
        retired: 0,
        last_close: None,
        era: None,
        generation: 0,
    });
    let (done, first_attempt) = oneshot::channel();
    tasks.spawn(owner.run(done));
    (shared, first_attempt)
}

pub(super) struct Owner {
    pub(super) shared: Arc<Shared>,
    pub(super) services: Arc<Services>,
    pub(super) hub: Hub,
    pub(super) closing: CancellationToken,
    pub(super) spec: ServerSpec,
    pub(super) inbox: mpsc::UnboundedReceiver<Command>,
    pub(super) view: View,
    pub(super) attempt: Option<Task<Result<Connected, Broken>>>,
    /// Who waits for the running attempt.
    pub(super) waiting: Vec<Waiter>,
    pub(super) events: Option<Events>,
    pub(super) refresher: Refresher,
    pub(super) refresh: Option<Task<Result<Listing<Tool>, Failure>>>,
    /// Replaced connections on their way out, numbered as they were replaced.
    pub(super) retiring: JoinSet<(u64, CloseReport)>,
    pub(super) retired: u64,
    /// How the newest of those that have closed ended: they may close in another order.
    pub(super) last_close: Option<(u64, CloseReport)>,
    /// How the last connection spoke, so that the next one need not probe.
    pub(super) era: Option<Era>,
    pub(super) generation: u64,
}

/// What happened next.
enum Turn {
    End,
    Told(Command),
    Attempted(Result<Connected, Broken>),
    Heard(Option<Event>),
    Listed(Result<Listing<Tool>, Failure>),
    RefreshDue,
    Retired((u64, CloseReport)),
}

impl Owner {
    async fn run(mut self: Box<Self>, done: oneshot::Sender<()>) {
        // Also where this task panics or is aborted, nobody waits for it in vain.
        let _ended = self.shared.ended.clone().drop_guard();
        self.waiting.push(Waiter::Exchange(done));
        self.connect();
        loop {
            match self.next().await {
                Turn::End => break,
                Turn::Told(command) => self.obey(command),
                Turn::Attempted(Ok(connected)) => self.connected(connected),
                Turn::Attempted(Err(broken)) => self.failed(broken),
                Turn::Heard(event) => self.heard(event),
                Turn::Listed(listing) => self.listed(listing),
                Turn::RefreshDue => self.start_refresh(),
                Turn::Retired(report) => self.closed(report),
            }
        }
        self.end().await;
    }

    async fn next(&mut self) -> Turn {
        let due = self.refresher.due(Instant::now());
        tokio::select! {
            biased;
            () = self.closing.cancelled() => Turn::End,
            told = self.inbox.recv() => match told {
                None | Some(Command::Stop) => Turn::End,
                Some(command) => Turn::Told(command),
            },
            outcome = finished(&mut self.attempt) => Turn::Attempted(outcome),
            listing = finished(&mut self.refresh) => Turn::Listed(listing),
            () = until(due) => Turn::RefreshDue,
            Some(Ok(report)) = self.retiring.join_next(), if !self.retiring.is_empty() => Turn::Retired(report),
            // Last, so that a server that never stops talking cannot hold up the rest.
            event = heard(&mut self.events) => Turn::Heard(event),
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Begin { spec, what, done } => {
                self.spec = spec;
                self.waiting.extend(done.map(Waiter::Exchange));
                self.begin(what);
                if self.attempt.is_none() {
                    self.tell_waiting(None);
                }
            }
            Command::Connect { instead_of, reply } => self.connect_for_call(instead_of, reply),
            Command::Refresh => self.restart(),
            Command::Stop => {}
        }
    }

    fn begin(&mut self, what: Begin) {
        self.notice_drop();
        match what {
            // The drop was not known yet when the exchange made its plan.
            Begin::Keep if self.view.state == ServerState::Dropped => self.connect(),
            Begin::Keep => {
                self.refresher.exchange_begins();
                self.publish_doubt();
            }
            Begin::Restart => {
                self.view.tools = None;
                self.view.failure = None;
                self.era = None;
                self.restart();
            }
            Begin::Again if self.usable().is_some() => {}
            Begin::Again => self.connect(),
        }
    }

    fn connect_for_call(
        &mut self,
        instead_of: Option<u64>,
        reply: oneshot::Sender<Result<Lease, Failure>>,
    ) {
        self.notice_drop();
        let current = self.view.live.as_ref().map(|live| live.generation);
        if instead_of.is_some() && current == instead_of {
            self.retire_current();
        }
        if let Some(live) = self.usable() {
            let _ = reply.send(Ok(live.lease()));
        } else if self.attempt.is_none() && self.view.state == ServerState::Failed {
            // A failed server is tried again by the next exchange, not by each call of this one.
            let failure = self.view.failure.clone().unwrap_or_else(Failure::closed);
            let _ = reply.send(Err(failure));
        } else {
            self.waiting.push(Waiter::Call(reply));
            self.connect();
        }
    }

    pub(super) fn heard(&mut self, event: Option<Event>) {
        match event {
            Some(Event::ToolsChanged) => {
                self.refresher.notified(Instant::now());
                self.publish_doubt();
            }
            Some(Event::SessionExpired) => self.restart(),
            Some(Event::Dropped(reason)) => self.dropped(&reason),
            Some(Event::Log(entry)) if entry.source == LogSource::Stdout => self.noise(&entry.data),
            Some(_) => {}
            None => self.events = None,
        }
    }
}

/// Waits for the future in the slot and empties it; for ever while there is none.
async fn finished<T>(slot: &mut Option<Task<T>>) -> T {
    let Some(task) = slot else {
        return pending().await;
    };
    let output = task.await;
    *slot = None;
    output
}

async fn heard(events: &mut Option<Events>) -> Option<Event> {
    match events {
        Some(events) => events.recv().await,
        None => pending().await,
    }
}

async fn until(due: Option<Instant>) {
    match due {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => pending().await,
    }
}
