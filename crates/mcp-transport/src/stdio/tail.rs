//! The end of what a server wrote to standard error, for the error that tells of its end.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
    kept: Mutex<Kept>,
    /// Cancelled when standard error has ended.
    pub(super) ended: CancellationToken,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: VecDeque<u8>,
    /// Something came before these bytes.
    cut: bool,
}

impl Tail {
    pub(super) fn new(mask: Mask) -> Self {
        Self {
            mask,
            kept: Mutex::default(),
            ended: CancellationToken::new(),
        }
    }

    /// Keeps the end of these bytes and of what came before.
    pub(super) fn push(&self, bytes: &[u8]) {
        // What is hidden may begin before what is shown.
        let capacity = MAX_BYTES + self.mask.longest();
        let mut kept = self.lock();
        let newest = &bytes[bytes.len().saturating_sub(capacity)..];
        let excess = (kept.bytes.len() + newest.len()).saturating_sub(capacity);
        kept.cut |= excess > 0 || newest.len() < bytes.len();
        kept.bytes.drain(..excess);
        kept.bytes.extend(newest);
    }

    /// The last lines, masked. A value that the cut would halve is hidden as a whole, because it is looked for
    /// before the text is cut.
    pub(super) fn text(&self) -> String {
        let mut kept = self.lock();
        let cut = kept.cut;
        let bytes = kept.bytes.make_contiguous();
        // The first bytes may be the end of a character.
        let start = if cut { continuation(bytes) } else { 0 };
        let text = String::from_utf8_lossy(&bytes[start..]).into_owned();
        drop(kept);
        let masked = self.mask.apply(&text);
        let mut tail = masked.trim_end();
        if cut {
            // They may also be the end of a hidden value.
            let from = tail.ceil_char_boundary(tail.len().min(self.mask.longest()));
            tail = tail.get(from..).unwrap_or_default();
            tail = tail.find('\n').map_or(tail, |at| &tail[at + 1..]);
        }
        let start = tail
            .rmatch_indices('\n')
            .nth(MAX_LINES - 1)
            .map_or(0, |(at, _)| at + 1);
        tail[start..].to_owned()
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many bytes at the begin belong to a character that began before.
fn continuation(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take(3)
        .take_while(|byte| **byte & 0xc0 == 0x80)
        .count()
}
