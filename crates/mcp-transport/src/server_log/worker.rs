//! The thread that writes: the only place where a slow disk or another program's lock is felt.

use std::borrow::Cow;
use std::sync::Arc;
use std::thread;

use super::file::LogFile;
use super::log::Clock;
use super::queue::{Batch, Queue};
use super::record::LogRecord;

/// Starts the thread, which ends once the queue is closed and empty.
pub(super) fn start(queue: Arc<Queue>, mut file: LogFile, clock: Clock) -> std::io::Result<()> {
    let work = move || {
        let mut broken = false;
        while let Some(batch) = queue.next() {
            let outcome = file.append(text(&batch, &clock).as_bytes());
            // Said once for each time that it breaks, not for each entry.
            if let (Err(error), false) = (&outcome, broken) {
                let error = error as &dyn std::error::Error;
                tracing::warn!(error, "the server log cannot be written");
            }
            broken = outcome.is_err();
            queue.settle(&batch, !broken);
        }
    };
    thread::Builder::new()
        .name(String::from("mcp-log"))
        .stack_size(512 * 1024)
        .spawn(work)?;
    Ok(())
}

/// The lines, after one that speaks of those that were lost before them.
fn text<'a>(batch: &'a Batch, clock: &Clock) -> Cow<'a, str> {
    if batch.lost == 0 {
        return Cow::Borrowed(&batch.text);
    }
    let note = LogRecord {
        server: "",
        level: "warning",
        logger: Some("mcp.log"),
        data: &format!("{} entries before this one were lost", batch.lost),
    };
    Cow::Owned(note.to_line(clock()) + &batch.text)
}
