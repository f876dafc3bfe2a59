//! The piece of a text that a problem shows. It is cut out when the problem is made, so that a problem neither keeps
//! a file in memory nor carries what must not be shown.

use std::ops::Range;

use super::span::Span;
use crate::problem::is_unsafe;

/// How long a line may be, in bytes, to be shown as a whole.
const WHOLE: usize = 110;

/// How much of a longer line is shown around the place.
const BEFORE: usize = 50;
const AFTER: usize = 60;

/// A line of a file, or the part of it around the place, with what may be a credential replaced by `***`.
///
/// ```
/// use mcp_config::document;
///
/// let problem = &document::parse("t", b"[1, 2").problems[0];
/// let excerpt = problem.excerpt().expect("a line");
/// assert_eq!((excerpt.text(), excerpt.marked()), ("[1, 2", 5..5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    text: String,
    marked: Range<usize>,
}

impl Excerpt {
    /// The text, without a line break.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte range in `text` that the problem is about.
    pub fn marked(&self) -> Range<usize> {
        self.marked.clone()
    }

    pub(super) fn cut(text: &str, span: Span, hidden: &[(u32, u32)], shown: &[u32]) -> Self {
        let window = window(text, span.range());
        let mut excerpt = Excerpt {
            text: String::new(),
            marked: 0..0,
        };
        let mut marks = Marks {
            span: clip(span.range(), &window),
            start: None,
            end: None,
        };
        if window.start > 0 && text.as_bytes().get(window.start - 1) != Some(&b'\n') {
            excerpt.text.push('…');
        }
        let mut at = window.start;
        let first = hidden.partition_point(|range| range.1 as usize <= window.start);
        for &(start, end) in hidden.get(first..).unwrap_or_default() {
            let range = clip(start as usize..end as usize, &window);
            if start as usize >= window.end {
                break;
            }
            if shown.binary_search(&start).is_ok() {
                continue;
            }
            excerpt.copy(text, at..range.start, &mut marks);
            marks.cover(range.clone(), excerpt.text.len(), excerpt.text.len() + 3);
            excerpt.text.push_str("***");
            at = range.end;
        }
        excerpt.copy(text, at..window.end, &mut marks);
        if !matches!(text.as_bytes().get(window.end), None | Some(b'\n' | b'\r')) {
            excerpt.text.push('…');
        }
        let start = marks.start.unwrap_or(excerpt.text.len());
        let end = marks.end.unwrap_or(start).max(start);
        safe(&excerpt.text, &(start..end))
    }

    fn copy(&mut self, text: &str, range: Range<usize>, marks: &mut Marks) {
        let length = self.text.len();
        let part = text.get(range.clone()).unwrap_or_default();
        marks.copied(range, length);
        self.text.push_str(part);
    }
}

/// Replaces what could steer a terminal, one character by one. The mark grows to whole characters, since one that
/// ended within a character would bring the renderer down.
fn safe(text: &str, marked: &Range<usize>) -> Excerpt {
    let mut safe = String::with_capacity(text.len());
    let (mut start, mut end) = (None, 0);
    for (at, c) in text.char_indices() {
        if start.is_none() && at + c.len_utf8() > marked.start {
            start = Some(safe.len());
        }
        safe.push(if c != '\t' && is_unsafe(c) {
            '\u{fffd}'
        } else {
            c
        });
        if at < marked.end {
            end = safe.len();
        }
    }
    let start = start.unwrap_or(safe.len());
    Excerpt {
        text: safe,
        marked: start..end.max(start),
    }
}

/// Where the span's ends come to lie in the excerpt.
struct Marks {
    span: Range<usize>,
    start: Option<usize>,
    end: Option<usize>,
}

impl Marks {
    /// `range` of the text was copied to `to`.
    fn copied(&mut self, range: Range<usize>, to: usize) {
        if self.start.is_none() && (range.start..=range.end).contains(&self.span.start) {
            self.start = Some(to + self.span.start - range.start);
        }
        if (range.start..=range.end).contains(&self.span.end) {
            self.end = Some(to + self.span.end - range.start);
        }
    }

    /// `range` of the text was replaced by what stands at `from..to`; a span that ends inside covers all of it.
    fn cover(&mut self, range: Range<usize>, from: usize, to: usize) {
        if self.start.is_none() && range.contains(&self.span.start) {
            self.start = Some(from);
        }
        if range.contains(&self.span.end) {
            self.end = Some(to);
        }
    }
}

fn clip(range: Range<usize>, window: &Range<usize>) -> Range<usize> {
    let start = range.start.clamp(window.start, window.end);
    start..range.end.clamp(start, window.end)
}

/// The line of the place, if it is short, else the part around the place. It looks only as far as it shows.
fn window(text: &str, span: Range<usize>) -> Range<usize> {
    let at = span.start.min(text.len());
    let line = part_of_line(text, at, WHOLE, WHOLE);
    let line = if line.len() <= WHOLE {
        line
    } else {
        part_of_line(text, at, BEFORE, AFTER)
    };
    text.ceil_char_boundary(line.start)..text.floor_char_boundary(line.end)
}

/// The line around a place, at most that many bytes before and after it.
fn part_of_line(text: &str, at: usize, before: usize, after: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut start = at.saturating_sub(before);
    let head = bytes.get(start..at).unwrap_or_default();
    if let Some(newline) = head.iter().rposition(|&byte| byte == b'\n') {
        start += newline + 1;
    }
    let mut end = (at + after).min(bytes.len());
    let tail = bytes.get(at..end).unwrap_or_default();
    if let Some(newline) = tail.iter().position(|&byte| matches!(byte, b'\n' | b'\r')) {
        end = at + newline;
    }
    start..end
}
