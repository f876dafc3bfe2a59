//! Lines cut out of a byte stream, against a plain split of the whole stream.

use std::borrow::Cow;

use crate::link::{LineBuffer, LineTooLong};

/// Limits that matter: none, small ones, one beyond the length from which a line takes the buffer along.
const LIMITS: [usize; 8] = [0, 1, 2, 7, 64, 1000, 65_536, 200_000];
/// A byte that stands for a run of this many `x`, so that short inputs make long lines.
const RUN: (u8, usize) = (0xf0, 66_000);
/// A byte at which a read ends.
const SPLIT: u8 = 0xf1;
const MOST_RUNS: usize = 6;

/// The first byte picks the limit, the others are the stream, in which one byte stands for a long run and one for the end
/// of a read. However it is split, the lines and the fate of a line that is too long are the same, and the buffer stays
/// within a multiple of the limit.
pub fn frame(data: &[u8]) {
    let Some((pick, data)) = data.split_first() else {
        return;
    };
    let limit = LIMITS[usize::from(*pick) % LIMITS.len()];
    let pieces: Vec<Vec<u8>> = data.split(|byte| *byte == SPLIT).map(expand).collect();
    let whole = pieces.concat();
    let (mut lines, rest) = expected(&whole, limit);
    lines.reverse();
    let mut buffer = LineBuffer::new(limit);
    for piece in &pieces {
        let mut left = piece.as_slice();
        while !left.is_empty() {
            let room = buffer.room();
            let size = left.len().min(room.capacity() - room.len());
            assert!(size > 0, "a buffer without room would end the reading");
            assert!(room.capacity() <= 4 * (limit + 4096));
            room.extend_from_slice(&left[..size]);
            left = &left[size..];
            while let Some(line) = buffer.next_line() {
                let line = line.map(Cow::into_owned);
                let stop = line == Err(LineTooLong);
                assert_eq!(Some(line), lines.pop());
                if stop {
                    return assert!(lines.is_empty());
                }
            }
        }
    }
    assert!(lines.is_empty());
    assert_eq!(buffer.rest(), rest);
}

fn expand(piece: &[u8]) -> Vec<u8> {
    let mut runs = 0;
    let mut out = Vec::new();
    for byte in piece {
        if *byte == RUN.0 && runs < MOST_RUNS {
            runs += 1;
            out.resize(out.len() + RUN.1, b'x');
        } else {
            out.push(*byte);
        }
    }
    out
}

/// The lines up to one that is too long, and what has no line end.
fn expected(whole: &[u8], limit: usize) -> (Vec<Result<Vec<u8>, LineTooLong>>, &[u8]) {
    let mut lines = Vec::new();
    let mut parts: Vec<_> = whole.split(|byte| *byte == b'\n').collect();
    let rest = parts.pop().unwrap_or_default();
    for part in parts {
        let line = part.strip_suffix(b"\r").unwrap_or(part);
        if line.len() > limit {
            lines.push(Err(LineTooLong));
            return (lines, b"");
        }
        lines.push(Ok(line.to_vec()));
    }
    if rest.len() > limit + 1 {
        lines.push(Err(LineTooLong));
    }
    (lines, rest)
}
