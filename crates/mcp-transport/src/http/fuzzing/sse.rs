//! Events of a body, against a plain reading of the whole body as WHATWG HTML §9.2.6 has it.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::{FutureExt as _, stream};

use crate::http::sse::{SseError, SseReader};
use crate::http::unended::is_cut_object;

/// The first byte is the size of the pieces, the others are the body. The data of the events is that of a plain reading,
/// in whatever pieces it came. Under a small limit an event is never larger than the limit and the pieces at its ends, and
/// three times as much where each byte is invalid and becomes a replacement character.
pub fn sse(data: &[u8]) {
    let Some((size, body)) = data.split_first() else {
        return;
    };
    let size = usize::from(*size).max(1);
    let (seen, error) = read(body, size, usize::MAX);
    assert!(error.is_none());
    assert_eq!(seen, expected(body));
    let limit = 64;
    let (some, error) = read(body, size, limit);
    assert!(some.iter().all(|data| data.len() <= 3 * (limit + 2 * size)));
    match error {
        None => assert_eq!(some, seen),
        Some(error) => {
            assert!(matches!(error, SseError::TooLarge { .. }) && seen.starts_with(&some));
        }
    }
}

fn read(body: &[u8], size: usize, limit: usize) -> (Vec<String>, Option<SseError>) {
    let pieces: Vec<_> = body
        .chunks(size)
        .map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece)))
        .collect();
    let mut reader = SseReader::new(stream::iter(pieces), limit);
    let mut seen = Vec::new();
    // The body is there already, so nothing ever waits.
    while let Some(Some(event)) = reader.next().now_or_never() {
        match event {
            Ok(event) => seen.extend(event.data.filter(|data| !data.is_empty())),
            Err(error) => return (seen, Some(error)),
        }
    }
    (seen, None)
}

/// The data of each event that has some; one that the end of the body cuts off counts too (design §11.6), unless it is half
/// a message.
fn expected(body: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(body);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut events = Vec::new();
    let mut data: Vec<&str> = Vec::new();
    let lines = lines.strip_suffix('\n').unwrap_or(&lines);
    for line in lines.split('\n') {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if line.is_empty() {
            events.extend(Some(data.join("\n")).filter(|data| !data.is_empty()));
            data.clear();
        } else if field == "data" {
            data.push(value.strip_prefix(' ').unwrap_or(value));
        }
    }
    let cut = Some(data.join("\n"));
    events.extend(cut.filter(|data| !data.is_empty() && !is_cut_object(data)));
    events
}
