//! String literals to strings. A lone surrogate, which JSON allows and a Rust string cannot hold,
//! becomes a private character of its own, so that different names stay different.

use std::borrow::Cow;

/// Added to a lone surrogate, it gives a character of the last private plane.
const SURROGATE_BASE: u32 = 0x10_0000;

/// The string that starts at the quote at `start`, and the offset after its end.
pub(super) fn decode(text: &str, start: usize) -> (Cow<'_, str>, usize) {
    let bytes = text.as_bytes();
    let from = start + 1;
    let mut at = from;
    loop {
        match bytes.get(at) {
            Some(b'"') => return (Cow::Borrowed(text.get(from..at).unwrap_or("")), at + 1),
            Some(b'\\') => break,
            Some(_) => at += 1,
            None => return (Cow::Borrowed(text.get(from..).unwrap_or("")), bytes.len()),
        }
    }
    let mut decoded = String::from(text.get(from..at).unwrap_or(""));
    let mut rest = text.get(at..).unwrap_or("");
    while let Some(stop) = rest.find(['"', '\\']) {
        decoded.push_str(&rest[..stop]);
        rest = &rest[stop..];
        if rest.starts_with('"') {
            return (Cow::Owned(decoded), text.len() - rest.len() + 1);
        }
        let (character, length) = escape(rest);
        decoded.push(character);
        rest = rest.get(length..).unwrap_or("");
    }
    (Cow::Owned(decoded), text.len())
}

/// The lone surrogate that a character of a decoded string stands for.
pub(crate) fn lone_surrogate(character: char) -> Option<u16> {
    let code = u32::from(character).checked_sub(SURROGATE_BASE)?;
    u16::try_from(code)
        .ok()
        .filter(|code| (0xD800..=0xDFFF).contains(code))
}

/// The character of the escape that `rest` starts with, and the escape's length.
fn escape(rest: &str) -> (char, usize) {
    let simple = match rest.as_bytes().get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(rest),
        Some(other) => char::from(*other),
        None => return ('\\', 1),
    };
    (simple, 2)
}

fn unicode(rest: &str) -> (char, usize) {
    let high = hex(rest.get(2..6));
    if let Some(character) = char::from_u32(high) {
        return (character, 6);
    }
    let low = match rest.get(6..8) {
        Some("\\u") => hex(rest.get(8..12)),
        _ => 0,
    };
    if high < 0xDC00 && (0xDC00..=0xDFFF).contains(&low) {
        let pair = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        return (
            char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER),
            12,
        );
    }
    let private = char::from_u32(SURROGATE_BASE + high);
    (private.unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}

fn hex(digits: Option<&str>) -> u32 {
    digits
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .unwrap_or(u32::from(char::REPLACEMENT_CHARACTER))
}
