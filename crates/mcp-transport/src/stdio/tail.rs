//! The end of what a server wrote to standard error, for the error that tells of its end.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::Mask;

/// How much is kept.
const MAX_BYTES: usize = 8 * 1024;
/// How many lines of it are shown.
const MAX_LINES: usize = 40;

/// A ring of bytes. Progress bars without line ends cannot make it grow.
#[derive(Debug)]
pub(super) struct Tail {
    mask: Mask,
    bytes: Mutex<VecDeque<u8>>,
    /// Cancelled when standard error has ended.
    pub(super) ended: CancellationToken,
}

impl Tail {
    pub(super) fn new(mask: Mask) -> Self {
        Self {
            mask,
            bytes: Mutex::new(VecDeque::new()),
            ended: CancellationToken::new(),
        }
    }

    /// Keeps the end of these bytes and of what came before.
    pub(super) fn push(&self, bytes: &[u8]) {
        let capacity = MAX_BYTES + self.mask.longest();
        let mut kept = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = &bytes[bytes.len().saturating_sub(capacity)..];
        let excess = (kept.len() + bytes.len()).saturating_sub(capacity);
        kept.drain(..excess);
        kept.extend(bytes);
    }

    /// The last lines, masked. A value that the cut would halve is hidden as a whole, because it is looked for
    /// before the text is cut.
    pub(super) fn text(&self) -> String {
        let mut kept = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let full = kept.len() > MAX_BYTES;
        let text = String::from_utf8_lossy(kept.make_contiguous()).into_owned();
        drop(kept);
        let masked = self.mask.apply(&text);
        let mut tail = masked.trim_end();
        if full {
            // The first bytes may be the end of a hidden value, or of a character.
            let from = tail.ceil_char_boundary(tail.len().min(self.mask.longest().max(4)));
            tail = &tail[from..];
            tail = tail.find('\n').map_or(tail, |at| &tail[at + 1..]);
        }
        let start = tail
            .rmatch_indices('\n')
            .nth(MAX_LINES - 1)
            .map_or(0, |(at, _)| at + 1);
        tail[start..].to_owned()
    }
}
