//! Cuts a byte stream into lines, over one growing buffer.
//! A long line leaves with the buffer instead of being copied, and the buffer goes back to rest.

use std::borrow::Cow;

use serde::de::IgnoredAny;

/// What the buffer holds when nothing happens.
const REST: usize = 4 * 1024;
/// A line of this length takes the buffer along; copying a shorter one is cheaper.
const HAND_OVER: usize = 64 * 1024;
/// White space that may stand behind a message in place of its line feed.
const LONGEST_GAP: usize = 16;

/// Lines of a byte stream, without their line feed.
#[derive(Debug)]
pub(crate) struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to where no line feed was found.
    searched: usize,
    limit: usize,
}

/// A line is longer than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineTooLong;

impl LineBuffer {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            start: 0,
            searched: 0,
            limit,
        }
    }

    /// The buffer to read into: it has room at its end.
    pub(crate) fn room(&mut self) -> &mut Vec<u8> {
        if self.start == self.bytes.len() {
            self.start = 0;
            self.searched = 0;
            self.bytes.clear();
            if self.bytes.capacity() > REST {
                self.bytes = Vec::new();
            }
        } else if self.start > 0 && self.bytes.capacity() - self.bytes.len() < REST / 4 {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        if self.bytes.len() == self.bytes.capacity() {
            self.bytes.reserve(self.bytes.len().max(REST));
        }
        &mut self.bytes
    }

    /// The next whole line.
    pub(crate) fn next_line(&mut self) -> Option<Result<Cow<'_, [u8]>, LineTooLong>> {
        let Some(at) = memchr::memchr(b'\n', &self.bytes[self.searched..]) else {
            self.searched = self.bytes.len();
            // A carriage return at the end may belong to the line end, so it is not counted yet.
            let length = self.bytes.len() - self.start;
            return (length > self.limit + 1).then_some(Err(LineTooLong));
        };
        let (start, end) = (self.start, self.searched + at);
        self.start = end + 1;
        self.searched = self.start;
        let line = &self.bytes[start..end];
        let length = line.strip_suffix(b"\r").unwrap_or(line).len();
        if length > self.limit {
            return Some(Err(LineTooLong));
        }
        if length < HAND_OVER {
            return Some(Ok(Cow::Borrowed(&self.bytes[start..start + length])));
        }
        Some(Ok(Cow::Owned(self.hand_over(start, length))))
    }

    /// Whether the last line, which has no line feed yet, ends as a message does.
    pub(crate) fn may_lack_its_end(&self) -> bool {
        let line = &self.bytes[self.start..];
        // This is asked after each read, so a long run of spaces is not looked through.
        let end = &line[line.len().saturating_sub(LONGEST_GAP)..];
        end.trim_ascii_end().last() == Some(&b'}')
    }

    /// The last line, if it is whole JSON without its line feed: one message, or several.
    pub(crate) fn take_unended(&mut self) -> Option<&[u8]> {
        let line = &self.bytes[self.start..];
        let mut values = serde_json::Deserializer::from_slice(line).into_iter::<IgnoredAny>();
        let is_whole =
            line.trim_ascii_start().starts_with(b"{") && values.all(|value| value.is_ok());
        is_whole.then(|| self.rest())
    }

    /// What is left when the stream has ended: a last line without its line feed.
    pub(crate) fn rest(&mut self) -> &[u8] {
        let start = std::mem::replace(&mut self.start, self.bytes.len());
        &self.bytes[start..]
    }

    /// Gives the buffer away as the line, and goes on with a new one.
    fn hand_over(&mut self, start: usize, length: usize) -> Vec<u8> {
        let rest = self.bytes.split_off(self.start);
        let mut line = std::mem::replace(&mut self.bytes, rest);
        self.start = 0;
        self.searched = 0;
        line.truncate(start + length);
        if start > 0 {
            line.drain(..start);
        }
        line.shrink_to_fit();
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds the text in pieces of a size and gives the lines.
    fn lines(text: &[u8], piece: usize, limit: usize) -> Vec<Result<Vec<u8>, LineTooLong>> {
        let mut buffer = LineBuffer::new(limit);
        let mut lines = Vec::new();
        for piece in text.chunks(piece) {
            buffer.room().extend_from_slice(piece);
            while let Some(line) = buffer.next_line() {
                let line = line.map(Cow::into_owned);
                let failed = line.is_err();
                lines.push(line);
                if failed {
                    return lines;
                }
            }
        }
        lines
    }

    #[test]
    fn the_pieces_in_which_text_arrives_do_not_matter() {
        let long = vec![b'x'; 3 * HAND_OVER];
        let mut text = b"one\r\n\n\xe2\x80\x94 two\n".to_vec();
        text.extend_from_slice(&long);
        text.extend_from_slice(b"\nlast\nunfinished");
        let expected: Vec<_> = [b"one".as_slice(), b"", "— two".as_bytes(), &long, b"last"]
            .into_iter()
            .map(|line| Ok(line.to_vec()))
            .collect();
        for piece in [1, 2, 3, 7, 4096, 65_536, text.len()] {
            assert_eq!(
                lines(&text, piece, usize::MAX - 1),
                expected,
                "pieces of {piece}"
            );
        }
    }

    #[test]
    fn the_limit_depends_on_the_length_of_the_line_only() {
        let text =
            |length: usize, end: &str| format!("ok\n{}{end}", "x".repeat(length)).into_bytes();
        for piece in [1, 5, 8, 9, 10, 11, 1000] {
            for end in ["\n", "\r\n"] {
                let fits = lines(&text(8, end), piece, 8);
                assert_eq!(
                    fits,
                    [Ok(b"ok".to_vec()), Ok(b"xxxxxxxx".to_vec())],
                    "{piece} {end:?}"
                );
                let long = lines(&text(9, end), piece, 8);
                assert_eq!(
                    long,
                    [Ok(b"ok".to_vec()), Err(LineTooLong)],
                    "{piece} {end:?}"
                );
            }
            assert_eq!(
                lines(&text(30, ""), piece, 8),
                [Ok(b"ok".to_vec()), Err(LineTooLong)]
            );
        }
    }

    #[test]
    fn the_buffer_goes_back_to_rest() {
        let mut buffer = LineBuffer::new(usize::MAX - 1);
        for size in [10 * REST, 10 * HAND_OVER] {
            buffer.room().extend_from_slice(&vec![b'x'; size]);
            buffer.room().push(b'\n');
            assert!(matches!(buffer.next_line(), Some(Ok(line)) if line.len() == size));
            assert!(buffer.next_line().is_none());
            assert!(buffer.room().capacity() <= REST);
        }
    }
}
