//! The stream of changes of a stateless server: opened once, opened again when it ends.

use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::rpc::{Ask, Core, Meta};
use crate::{Capabilities, Era, RequestError, ServerInfo};

const METHOD: &str = "subscriptions/listen";
const METHOD_NOT_FOUND: i64 = -32601;
/// How long after an end the stream is opened again: at first, and at most.
const PAUSE: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));
/// A stream has no deadline.
const FOREVER: Duration = Duration::MAX;

/// What a server says that it tells of, as members of the filter.
fn filter(capabilities: &Capabilities) -> Vec<&'static str> {
    [
        ("tools", "toolsListChanged"),
        ("prompts", "promptsListChanged"),
        ("resources", "resourcesListChanged"),
    ]
    .into_iter()
    .filter(|(capability, _)| capabilities.list_changed(capability))
    .map(|(_, member)| member)
    .collect()
}

/// Begins to listen, if the server is stateless and tells of anything. The request is sent before this
/// returns, so that it always comes before the host's first one.
pub(crate) async fn start_listening(core: &Arc<Core>, server: &ServerInfo) {
    let wanted = filter(&server.capabilities);
    if server.protocol_version.era() != Era::Stateless || wanted.is_empty() {
        return;
    }
    let mut task = Box::pin(listen(Arc::clone(core), wanted));
    let ended = poll_fn(|cx| Poll::Ready(task.as_mut().poll(cx).is_ready())).await;
    if !ended {
        core.tasks.spawn(task);
    }
}

async fn listen(core: Arc<Core>, wanted: Vec<&'static str>) {
    let ask = Ask {
        method: METHOD,
        name: None,
        meta: Meta::Negotiated,
        progress: false,
        cancellable: true,
        timeout: FOREVER,
        max_total: FOREVER,
        cancel: None,
        on_progress: None,
        room: 128,
    };
    let mut pause = PAUSE.0;
    loop {
        let opened = Instant::now();
        let end = core.ask(&ask, |params| {
            params.object("notifications", |filter| {
                for member in &wanted {
                    filter.value(member, &true);
                }
            });
        });
        if let Err(
            RequestError::Server {
                code: METHOD_NOT_FOUND,
                ..
            }
            | RequestError::Dropped { .. }
            | RequestError::Closed,
        ) = end.await
        {
            return;
        }
        // A stream that lived for a while ended for a good reason.
        pause = if opened.elapsed() > PAUSE.1 {
            PAUSE.0
        } else {
            (pause * 2).min(PAUSE.1)
        };
        sleep(pause).await;
    }
}
