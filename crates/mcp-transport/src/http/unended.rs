//! An event whose closing blank line does not come although the stream goes on, as some servers write it. Strictly it
//! never happened; a caller who waits for it would wait until its deadline.

use bytes::Bytes;
use serde::de::IgnoredAny;

/// More than this of one event is not looked at: it would be kept twice.
const MAX_KEPT: usize = 1024 * 1024;

/// How often one event is looked at: each time costs its size.
const MAX_LOOKS: u32 = 16;

/// What was read since the last event that is known to have ended.
#[derive(Default)]
pub(super) struct Unended {
    chunks: Vec<Bytes>,
    size: usize,
    looks: u32,
    /// Something came since it was looked at.
    is_new: bool,
}

impl Unended {
    /// Takes note of a chunk, and says whether it ends with a blank line. Where an event ended before it, only the chunk
    /// that it ended in may hold the begin of the next.
    pub(super) fn note(&mut self, chunk: &Bytes, after_an_event: bool) -> bool {
        if ends_blank(chunk) {
            *self = Self::default();
            return true;
        }
        if after_an_event {
            self.chunks.drain(..self.chunks.len().saturating_sub(1));
            self.size = self.chunks.first().map_or(0, Bytes::len);
            self.looks = 0;
        }
        self.size += chunk.len();
        if self.size > MAX_KEPT {
            self.chunks.clear();
        } else {
            self.chunks.push(chunk.clone());
        }
        self.is_new = true;
        false
    }

    /// Whether a whole message stands there, with its line end. True once.
    pub(super) fn take_message(&mut self) -> bool {
        let ends_a_line = |chunk: &Bytes| matches!(chunk.last(), Some(b'\n' | b'\r'));
        if !self.is_new || self.looks == MAX_LOOKS || !self.chunks.last().is_some_and(ends_a_line) {
            return false;
        }
        self.is_new = false;
        self.looks += 1;
        let is_message = is_message(&self.chunks.concat());
        if is_message {
            *self = Self::default();
        }
        is_message
    }
}

fn ends_blank(chunk: &[u8]) -> bool {
    chunk.ends_with(b"\n\n") || chunk.ends_with(b"\r\n\r\n")
}

/// Whether the lines behind the last blank one are the data of one message of JSON-RPC.
fn is_message(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes)
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let event = text.rsplit_once("\n\n").map_or(&*text, |(_, event)| event);
    let data: Vec<&str> = event
        .lines()
        .filter_map(|line| line.trim_start_matches('\u{feff}').strip_prefix("data:"))
        .collect();
    let data = data.join("\n");
    data.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(&data).is_ok()
}
