//! At most one exchange of a session is open.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The mark that an exchange is open; it goes with the exchange, or with a beginning that failed or
/// was dropped.
#[derive(Debug)]
pub(crate) struct OpenExchange(Arc<AtomicBool>);

impl OpenExchange {
    /// Nothing where one is open already.
    pub(super) fn mark(open: &Arc<AtomicBool>) -> Option<OpenExchange> {
        (!open.swap(true, Ordering::AcqRel)).then(|| OpenExchange(Arc::clone(open)))
    }
}

impl Drop for OpenExchange {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
