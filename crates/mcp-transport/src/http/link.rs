//! The endpoint as a link: each message becomes a task that posts it, owned by the connection.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::task::{Context, Poll};

use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;

use super::endpoint::Endpoint;
use super::message::Message;
use super::mirrored::Mirrored;
use super::post::Post;
use crate::link::{GaveUp, Kind, Link, Outbound, Refused};
use crate::rpc::Core;
use crate::{Era, ListProblem, Listing, RequestError, Tool};

/// Messages to one endpoint.
pub(super) struct HttpLink {
    pub(super) endpoint: Arc<Endpoint>,
    core: OnceLock<Weak<Core>>,
    /// Requests whose exchange is under way; none any more once the link is closed.
    under_way: Mutex<Option<BTreeMap<u64, AbortHandle>>>,
    /// Cancelled once the server has answered `notifications/initialized`, in whatever way.
    pub(super) introduced: CancellationToken,
}

impl HttpLink {
    pub(super) fn new(endpoint: Arc<Endpoint>) -> Self {
        Self {
            endpoint,
            core: OnceLock::new(),
            under_way: Mutex::new(Some(BTreeMap::new())),
            introduced: CancellationToken::new(),
        }
    }

    /// Ties the link to the core that it carries messages for. Once, before anything is sent.
    pub(super) fn attach(&self, core: &Arc<Core>) {
        self.core.get_or_init(|| Arc::downgrade(core));
    }

    /// The exchange of a request is over.
    pub(super) fn done(&self, id: u64) {
        if let Some(under_way) = &mut *self.lock() {
            under_way.remove(&id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<BTreeMap<u64, AbortHandle>>> {
        self.under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stateless(core: &Core) -> bool {
        core.negotiated()
            .is_some_and(|negotiated| negotiated.version.era() == Era::Stateless)
    }
}

/// The link, as the core holds it.
#[derive(Debug)]
pub(super) struct Shared(pub(super) Arc<HttpLink>);

impl Link for Shared {
    fn send<'a>(&self, message: Outbound<'a>) -> Result<(), Refused<'a>> {
        let Some(core) = self.0.core.get().and_then(Weak::upgrade) else {
            return Err(Refused::Closed);
        };
        let mut guard = self.0.lock();
        let Some(under_way) = &mut *guard else {
            return Err(Refused::Closed);
        };
        let id = match message.kind {
            Kind::Request { id, .. } => Some(id),
            // A stateless server must not ask, and must not be answered (2026-07-28,
            // basic/transports/streamable-http §Sending Messages).
            Kind::Response if HttpLink::is_stateless(&core) => return Err(Refused::Closed),
            Kind::Notification { .. } | Kind::Response => None,
        };
        if self.0.endpoint.is_expired() {
            drop(guard);
            if let Some(id) = id {
                core.fail(id, |method| RequestError::SessionExpired {
                    method,
                    refused: true,
                });
            }
            return Ok(());
        }
        let post = Post {
            link: Arc::clone(&self.0),
            core: Arc::clone(&core),
            message: Message::new(message),
        };
        // The table stays locked until the task is in it, so that its end finds it there.
        // A future is moved several times while its task is made and ends, and this one is large.
        let task = core.tasks.spawn(Box::pin(post.run()));
        if let Some(id) = id {
            under_way.insert(id, task);
        }
        Ok(())
    }

    fn poll_room(&self, _cx: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }

    /// Ends the exchange. In the stateless era that is the message; an older server has to be told.
    fn give_up(&self, id: u64) -> GaveUp {
        if let Some(task) = self
            .0
            .lock()
            .as_mut()
            .and_then(|under_way| under_way.remove(&id))
        {
            task.abort();
        }
        let stateless = self
            .0
            .core
            .get()
            .and_then(Weak::upgrade)
            .is_some_and(|core| HttpLink::is_stateless(&core));
        if stateless {
            GaveUp::Told
        } else {
            GaveUp::MustTell
        }
    }

    fn close(&self) {
        for task in self
            .0
            .lock()
            .take()
            .into_iter()
            .flatten()
            .map(|(_, task)| task)
        {
            task.abort();
        }
    }

    /// Reads which parameters go into headers, and leaves out the tools that cannot be called because their
    /// annotations are illegal (2026-07-28, basic/transports/streamable-http §Schema Extension).
    fn listed(&self, tools: &mut Listing<Tool>) {
        if !self
            .0
            .core
            .get()
            .and_then(Weak::upgrade)
            .is_some_and(|core| HttpLink::is_stateless(&core))
        {
            return;
        }
        let mut problems = Vec::new();
        tools
            .items
            .retain(|tool| match Mirrored::of(&tool.input_schema) {
                Ok(parameters) => {
                    self.0.endpoint.mirror(&tool.name, parameters);
                    true
                }
                Err(why) => {
                    problems.push(ListProblem::new(
                        &format!("tools[{:?}].inputSchema", tool.name),
                        format!("{why}; the tool is left out"),
                    ));
                    false
                }
            });
        tools.problems.append(&mut problems);
    }
}

impl fmt::Debug for HttpLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpLink")
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}
