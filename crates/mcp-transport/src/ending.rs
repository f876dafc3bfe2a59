//! The end of a connection, as seen from its handles: asking for it, and hearing how it went.
//! The task that carries it out belongs to the link.

use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::CloseReport;
use crate::rpc::Core;

/// A core whose link is running. Dropping it ends everything at once.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) core: Arc<Core>,
    close: CancellationToken,
    report: watch::Receiver<Option<CloseReport>>,
    /// The process that has to end at once with the last handle, whether or not a runtime is there to do it.
    process: Option<Box<dyn Process>>,
}

/// A process behind a connection.
pub(crate) trait Process: Send + Sync + std::fmt::Debug {
    fn id(&self) -> u32;

    /// Ends it at once, synchronously.
    fn kill(&self);
}

/// The other side of [`Running`]: for the task that ends the link.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) close: CancellationToken,
    report: watch::Sender<Option<CloseReport>>,
}

impl Ending {
    /// Tells how the end went.
    pub(crate) fn report(&self, report: CloseReport) {
        self.report.send_replace(Some(report));
    }
}

impl Running {
    pub(crate) fn new(core: Arc<Core>, process: Option<Box<dyn Process>>) -> (Self, Ending) {
        let close = CancellationToken::new();
        let (sender, receiver) = watch::channel(None);
        let running = Self {
            core,
            close: close.clone(),
            report: receiver,
            process,
        };
        (
            running,
            Ending {
                close,
                report: sender,
            },
        )
    }

    pub(crate) fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(|process| process.id())
    }

    /// Ends the connection in good order. Everyone who asks gets the same report.
    pub(crate) async fn close(&self) -> CloseReport {
        self.core.close();
        self.close.cancel();
        let mut report = self.report.clone();
        // The task is gone without a report only if its runtime was shut down.
        report
            .wait_for(Option::is_some)
            .await
            .ok()
            .and_then(|report| report.clone())
            .unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.core.abort();
        if let Some(process) = &self.process {
            process.kill();
        }
    }
}
