//! The requests that wait for an answer, so that none waits in vain.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;

/// Ids of requests that were sent and not answered yet.
#[derive(Debug, Default)]
pub(super) struct Pending(Mutex<HashSet<RequestId>>);

impl Pending {
    pub(super) fn add(&self, id: RequestId) {
        self.lock().insert(id);
    }

    /// Takes out the request that an answer belongs to. Some servers turn a number into a string.
    pub(super) fn take(&self, id: &RequestId) -> Option<RequestId> {
        let mut pending = self.lock();
        if let Some(id) = pending.take(id) {
            return Some(id);
        }
        let RequestId::String(text) = id else {
            return None;
        };
        let number = text.parse().ok().map(RequestId::Number)?;
        (number.to_string() == **text)
            .then(|| pending.take(&number))
            .flatten()
    }

    pub(super) fn take_all(&self) -> HashSet<RequestId> {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
