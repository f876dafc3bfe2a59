//! Where the record of a playing grows.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::artifact::Redactor;

use super::Entry;
use super::listener::Listener;

/// More entries than this nobody reads; a server that floods must not fill the memory.
const MOST: usize = 1_000;

/// A record that grows. Its clones are the same one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<Recorded>>);

#[derive(Debug, Default)]
struct Recorded {
    entries: Vec<Entry>,
    more: usize,
}

impl Recorder {
    /// Adds an entry at the end.
    pub(crate) fn add(&self, entry: Entry) {
        let mut recorded = self.lock();
        if recorded.entries.len() < MOST {
            recorded.entries.push(entry);
        } else {
            recorded.more += 1;
        }
    }

    /// Hears what connections and sessions on this thread tell of their messages and states, until the guard
    /// is dropped.
    pub(crate) fn listen(&self) -> tracing::dispatcher::DefaultGuard {
        let dispatch = tracing::Dispatch::new(Listener(self.clone()));
        tracing::dispatcher::set_default(&dispatch)
    }

    /// All entries, with paths, ports and secrets replaced. What passed with one server between two moves or
    /// events stands together: how the messages of several servers mix is chance, and hard to read.
    pub(crate) fn redacted(self, redactor: &Redactor) -> Vec<Entry> {
        let mut recorded = std::mem::take(&mut *self.lock());
        let both = |a: &Entry, b: &Entry| a.server().is_some() && b.server().is_some();
        for stretch in recorded.entries.chunk_by_mut(both) {
            stretch.sort_by(|a, b| a.server().cmp(&b.server()));
        }
        let more = (recorded.more > 0).then_some(Entry::More(recorded.more));
        recorded
            .entries
            .into_iter()
            .chain(more)
            .map(|entry| entry.redacted(redactor))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Recorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
