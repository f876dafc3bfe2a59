//! Reads standard error from the start to its end, whatever the requests do: a full pipe would stop the
//! server. Lines are offered as log entries, their end is kept.

use std::io;
use std::mem;
use std::sync::Arc;

use tokio::net::unix::pipe::Receiver;

use super::tail::Tail;
use crate::event::{LogEntry, LogSource};
use crate::rpc::Core;

/// How much of a line is shown; the rest of it is skipped.
const MAX_LINE: usize = 8 * 1024;
const CHUNK: usize = 8 * 1024;

/// Reads until standard error ends.
pub(super) async fn drain(stderr: Receiver, tail: Arc<Tail>, core: Arc<Core>) {
    let mut lines = Lines::new(&core);
    chunks(stderr, |chunk| {
        tail.push(chunk);
        lines.push(chunk);
    })
    .await;
    lines.end();
    tail.ended.cancel();
}

/// Gives all that is written, as it comes.
async fn chunks(stderr: Receiver, mut take: impl FnMut(&[u8])) {
    while stderr.readable().await.is_ok() && take_chunk(&stderr, &mut take) {
        // Waiting for what is there already is no part of the runtime's budget: a server that never stops would keep
        // everybody else waiting.
        tokio::task::yield_now().await;
    }
}

/// Gives what is there now; false once nothing more will come. The buffer is this function's, since a task would hold it
/// for as long as the connection lives.
fn take_chunk(stderr: &Receiver, take: &mut impl FnMut(&[u8])) -> bool {
    let mut chunk = [0; CHUNK];
    match stderr.try_read(&mut chunk) {
        Ok(0) => false,
        Ok(count) => {
            take(&chunk[..count]);
            true
        }
        Err(error) => error.kind() == io::ErrorKind::WouldBlock,
    }
}

/// Makes log entries of lines.
struct Lines<'a> {
    core: &'a Core,
    line: Vec<u8>,
    /// The line is longer than is kept of it.
    cut: bool,
}

impl<'a> Lines<'a> {
    fn new(core: &'a Core) -> Self {
        Self {
            core,
            line: Vec::new(),
            cut: false,
        }
    }

    fn push(&mut self, mut bytes: &[u8]) {
        // A carriage return alone ends a line too: it is what progress bars do.
        while let Some(at) = memchr::memchr2(b'\n', b'\r', bytes) {
            self.add(&bytes[..at]);
            self.end();
            bytes = &bytes[at + 1..];
        }
        self.add(bytes);
    }

    /// Adds to the line, as far as it is kept: a little more than is shown, so that a value to be hidden is seen
    /// as a whole.
    fn add(&mut self, bytes: &[u8]) {
        let room = (MAX_LINE + self.core.options.mask.longest()).saturating_sub(self.line.len());
        self.cut |= bytes.len() > room;
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end(&mut self) {
        let line = mem::take(&mut self.line);
        let cut = mem::take(&mut self.cut) || line.len() > MAX_LINE;
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            return;
        }
        let mut shown = self
            .core
            .options
            .mask
            .apply_prefix(text.trim_end(), MAX_LINE);
        if cut {
            shown.push('…');
        }
        self.core
            .log(LogEntry::new(LogSource::Stderr, "info", shown));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::mem::size_of_val;

    use super::*;

    #[tokio::test]
    async fn no_buffer_is_held_while_nothing_is_written() {
        let (receiver, _sender) = io::pipe().unwrap();
        let stderr = Receiver::from_owned_fd(receiver.into()).unwrap();
        assert!(size_of_val(&chunks(stderr, |_| {})) < CHUNK);
    }

    #[tokio::test]
    async fn a_flood_leaves_others_their_turn() {
        let (receiver, mut sender) = io::pipe().unwrap();
        for _ in 0..4 {
            sender.write_all(&[b'x'; CHUNK]).unwrap();
        }
        drop(sender);
        let stderr = Receiver::from_owned_fd(receiver.into()).unwrap();
        // The runtime hears of what is in the pipe.
        stderr.readable().await.unwrap();
        tokio::select! {
            biased;
            () = chunks(stderr, |_| {}) => panic!("nobody else had a turn"),
            () = tokio::task::yield_now() => {}
        }
    }
}
