//! The time that a request has: so long without a sign of life, and so long altogether.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// What a limit that cannot be added to a clock counts as.
const FAR: Duration = Duration::from_hours(24 * 365);

/// When a request has waited too long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    start: Instant,
    timeout: Duration,
    max_total: Duration,
}

impl Deadline {
    pub(crate) fn new(timeout: Duration, max_total: Duration) -> Self {
        Self {
            start: Instant::now(),
            timeout,
            max_total,
        }
    }

    /// The moment of the end, if the server was last heard of then.
    pub(crate) fn end(&self, heard: Option<Instant>) -> Instant {
        let silent = after(heard.unwrap_or(self.start), self.timeout);
        silent.min(after(self.start, self.max_total))
    }

    /// Ready, with the limit that was reached, once the time is over.
    pub(crate) fn poll(
        &self,
        mut sleep: Pin<&mut Sleep>,
        heard: impl Fn() -> Option<Instant>,
        cx: &mut Context<'_>,
    ) -> Poll<Duration> {
        while sleep.as_mut().poll(cx).is_ready() {
            let end = self.end(heard());
            if end <= Instant::now() {
                let total = end == after(self.start, self.max_total);
                return Poll::Ready(if total { self.max_total } else { self.timeout });
            }
            sleep.as_mut().reset(end);
        }
        Poll::Pending
    }
}

fn after(start: Instant, duration: Duration) -> Instant {
    start.checked_add(duration).unwrap_or(start + FAR)
}
