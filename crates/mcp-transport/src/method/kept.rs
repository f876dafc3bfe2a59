//! The list of tools as long as its server said that it holds (2026-07-28, server/utilities/caching): a second question
//! within that time is answered without asking. A notified change ends it at once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use crate::{Listing, Tool};

/// A list that is still good.
#[derive(Debug, Default)]
pub(crate) struct KeptTools {
    /// Counts the changes that were told, so that a list asked for before one is not kept after it.
    changes: AtomicU64,
    kept: Mutex<Option<Kept>>,
}

#[derive(Debug)]
struct Kept {
    changes: u64,
    until: Instant,
    listing: Listing<Tool>,
}

impl KeptTools {
    /// How many changes were told so far: to be read before the list is asked for.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::SeqCst)
    }

    /// The server told of a change, or refused what the list says.
    pub(crate) fn outdate(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.lock().take();
    }

    /// The list, if it holds.
    pub(crate) fn get(&self) -> Option<Listing<Tool>> {
        let kept = self.lock();
        let kept = kept.as_ref()?;
        (kept.changes == self.changes() && Instant::now() < kept.until)
            .then(|| kept.listing.clone())
    }

    /// Keeps a list that was asked for when `changes` had been told, for as long as its server says.
    pub(crate) fn keep(&self, changes: u64, listing: &Listing<Tool>) {
        let Some(hint) = listing.cache.filter(|hint| !hint.ttl.is_zero()) else {
            return;
        };
        // A time beyond what the clock can say is no promise that anybody meant.
        if let Some(until) = Instant::now().checked_add(hint.ttl) {
            *self.lock() = Some(Kept {
                changes,
                until,
                listing: listing.clone(),
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
