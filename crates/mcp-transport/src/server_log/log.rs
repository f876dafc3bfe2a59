//! The handle by which connections write to the log.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::file::LogFile;
use super::queue::Queue;
use super::record::LogRecord;
use super::{time, worker};

/// The log that all servers of a home directory write to: `<home>/mcp.log`.
///
/// One line an entry, with tabs between time, server, level, logger and data. Past 5 MB the file
/// becomes `mcp.log.1`, in the place of the one before it. Any number of programs may share it; it
/// is private to its owner.
///
/// Writing never waits: entries go through a bounded queue to a thread, and what does not fit is
/// counted as lost. File, directory and thread come into being with the first entry.
///
/// ```
/// use std::time::Duration;
/// use mcp_transport::{LogRecord, ServerLog};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// # let home = tempfile::tempdir()?;
/// let log = ServerLog::new(home.path());
/// log.write(LogRecord { server: "files", level: "info", logger: None, data: "ready\n" });
/// assert!(log.flush(Duration::from_secs(5)).await);
///
/// let text = std::fs::read_to_string(home.path().join("mcp.log"))?;
/// assert!(text.ends_with("Z\tfiles\tinfo\t-\tready\\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(()) })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ServerLog {
    inner: Arc<Inner>,
}

pub(super) type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

struct Inner {
    queue: Arc<Queue>,
    /// Taken by the thread when it starts.
    file: Mutex<Option<LogFile>>,
    clock: Clock,
}

impl ServerLog {
    /// The log of a home directory, which need not exist yet.
    pub fn new(home: impl AsRef<Path>) -> Self {
        Self::with_clock(home, time::now)
    }

    /// The same with a clock of the caller's.
    pub fn with_clock(
        home: impl AsRef<Path>,
        clock: impl Fn() -> SystemTime + Send + Sync + 'static,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                queue: Arc::new(Queue::new()),
                file: Mutex::new(Some(LogFile::new(home.as_ref()))),
                clock: Arc::new(clock),
            }),
        }
    }

    /// Adds an entry, or counts it as lost; never waits for the disk.
    pub fn write(&self, record: LogRecord<'_>) {
        self.inner.start();
        let line = record.to_line((self.inner.clock)());
        self.inner.queue.push(line);
    }

    /// How many entries were lost, because the queue was full or the file could not be written.
    pub fn lost(&self) -> u64 {
        self.inner.queue.lost()
    }

    /// Waits until all entries so far are in the file (or lost), at most so long; whether they are.
    ///
    /// A host that ends right after this loses nothing.
    pub async fn flush(&self, limit: Duration) -> bool {
        tokio::time::timeout(limit, self.inner.queue.settled())
            .await
            .is_ok()
    }
}

impl Inner {
    fn start(&self) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = file.take() else { return };
        let queue = Arc::clone(&self.queue);
        if let Err(error) = worker::start(queue, file, Arc::clone(&self.clock)) {
            // From now on each entry counts as lost.
            self.queue.close();
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "the server log has no thread");
        }
    }
}

/// What is queued is still written, unless the program ends first.
impl Drop for Inner {
    fn drop(&mut self) {
        self.queue.close();
    }
}

impl fmt::Debug for ServerLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerLog")
            .field("lost", &self.lost())
            .finish_non_exhaustive()
    }
}
