//! An event whose closing blank line does not come although the stream goes on, as some servers write it. Strictly it
//! never happened; a caller who waits for it would wait until its deadline.

use bytes::Bytes;
use serde::de::IgnoredAny;

/// More than this of one event is not looked at: it would be kept twice.
const MAX_KEPT: usize = 1024 * 1024;

/// A shorter chunk is copied: a piece would keep alive all of the memory that the chunk was read into, for as long as the
/// stream is silent. A longer one is part of a large event, of which the rest comes soon.
const COPIED: usize = 4 * 1024;

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
    /// It is not from the body's begin on, where alone a byte order mark means nothing.
    is_later: bool,
}

impl Unended {
    /// Takes note of a chunk, and says whether it leaves no event begun. Where an event ended before it, only the chunk
    /// that it ended in may hold the begin of the next.
    pub(super) fn note(&mut self, chunk: &Bytes, after_an_event: bool) -> bool {
        if ends_blank(chunk) || self.size == 0 && is_idle(chunk) {
            self.forget();
            return true;
        }
        if after_an_event {
            self.is_later |= !self.chunks.is_empty();
            self.chunks.drain(..self.chunks.len().saturating_sub(1));
            self.size = self.chunks.first().map_or(0, Bytes::len);
            self.looks = 0;
        }
        self.size += chunk.len();
        if self.size > MAX_KEPT {
            self.chunks.clear();
        } else if chunk.len() < COPIED {
            self.chunks.push(Bytes::copy_from_slice(chunk));
        } else {
            self.chunks.push(chunk.clone());
        }
        self.is_new = true;
        false
    }

    /// Whether a whole message stands there, with its line end. True once.
    pub(super) fn take_message(&mut self) -> bool {
        let ends = self.chunks.last().is_some_and(|chunk| ends_a_line(chunk));
        if !self.is_new || self.looks == MAX_LOOKS || !ends {
            return false;
        }
        self.is_new = false;
        self.looks += 1;
        let data = self.data();
        let is_message = is_object(&data) && serde_json::from_str::<IgnoredAny>(&data).is_ok();
        if is_message {
            self.forget();
        }
        is_message
    }

    /// Whether the begin of a message stands there and no more. Such an event never happened, its id neither: a stream
    /// that is resumed brings it again.
    pub(super) fn is_cut(&self) -> bool {
        is_cut_object(&self.data())
    }

    fn forget(&mut self) {
        *self = Self {
            is_later: true,
            ..Self::default()
        };
    }

    /// The data of the event that the lines behind the last blank one are of.
    fn data(&self) -> String {
        let bytes = self.chunks.concat();
        let text = String::from_utf8_lossy(&bytes);
        let marked = text.strip_prefix('\u{feff}').filter(|_| !self.is_later);
        let text = marked
            .unwrap_or(&text)
            .replace("\r\n", "\n")
            .replace('\r', "\n");
        let event = text.rsplit_once("\n\n").map_or(&*text, |(_, event)| event);
        let data: Vec<&str> = event
            .lines()
            .filter_map(|line| match line.strip_prefix("data")? {
                "" => Some(""),
                value => value.strip_prefix(':'),
            })
            .collect();
        data.join("\n")
    }
}

fn ends_a_line(text: &[u8]) -> bool {
    matches!(text.last(), Some(b'\n' | b'\r'))
}

/// Whether there are only comments and blank lines, as those that keep a stream alive (2026-07-28,
/// basic/transports/streamable-http §Receiving Messages): they belong to no event.
fn is_idle(chunk: &[u8]) -> bool {
    let mut lines = chunk.split(|byte| matches!(byte, b'\n' | b'\r'));
    ends_a_line(chunk) && lines.all(|line| matches!(line.first(), None | Some(b':')))
}

fn ends_blank(chunk: &[u8]) -> bool {
    chunk.ends_with(b"\n\n") || chunk.ends_with(b"\r\n\r\n")
}

fn is_object(data: &str) -> bool {
    data.trim_start().starts_with('{')
}

/// Whether an object begins there and does not end.
pub(super) fn is_cut_object(data: &str) -> bool {
    is_object(data) && serde_json::from_str::<IgnoredAny>(data).is_err_and(|error| error.is_eof())
}
