//! Where owners say that something changed, and listeners hear it. Nobody ever waits for a
//! listener.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::broadcast;

/// A listener that lags further behind than this looks at every server instead.
const CAPACITY: usize = 256;

#[derive(Clone, Debug)]
pub(crate) struct Hub(Arc<Mutex<Option<broadcast::Sender<Arc<str>>>>>);

impl Hub {
    pub(crate) fn new() -> Hub {
        Hub(Arc::new(Mutex::new(Some(broadcast::Sender::new(CAPACITY)))))
    }

    /// The server's snapshot is a new one.
    pub(crate) fn changed(&self, server: &Arc<str>) {
        if let Some(sender) = &*self.sender() {
            // Without listeners there is nobody to tell.
            let _ = sender.send(Arc::clone(server));
        }
    }

    /// Nothing will change any more: listeners hear the rest and then the end.
    pub(crate) fn close(&self) {
        self.sender().take();
    }

    pub(super) fn listen(&self) -> Option<broadcast::Receiver<Arc<str>>> {
        self.sender().as_ref().map(broadcast::Sender::subscribe)
    }

    fn sender(&self) -> std::sync::MutexGuard<'_, Option<broadcast::Sender<Arc<str>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
