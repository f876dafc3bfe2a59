//! The tasks of one connection, in a set that it owns: they end with it.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::task::{AbortHandle, JoinSet};

#[derive(Debug, Default)]
pub(crate) struct Tasks {
    set: Mutex<JoinSet<()>>,
}

impl Tasks {
    /// Starts a task. Must be called inside a runtime.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        let mut set = self.lock();
        while set.try_join_next().is_some() {}
        set.spawn(task)
    }

    /// Ends all of them; fine outside a runtime.
    pub(crate) fn abort(&self) {
        self.lock().abort_all();
    }

    fn lock(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.set.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
