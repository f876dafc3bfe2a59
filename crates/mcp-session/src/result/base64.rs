//! Base64 as servers send it: the standard alphabet, and leniently the URL-safe one, missing
//! padding, line breaks, a `data:` prefix.

use std::borrow::Cow;

use base64::Engine as _;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &ALPHABET,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// How many bytes `text` decodes to, found from its length alone; exact for well-formed text.
pub(super) fn decoded_len(text: &str) -> usize {
    let body = payload(text).trim_end().trim_end_matches('=');
    body.len() / 4 * 3 + (body.len() % 4).saturating_sub(1)
}

/// The bytes, or nothing where the text is no base64 at all.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    LENIENT.decode(plain(payload(text)).as_ref()).ok()
}

/// The first bytes, enough to tell a format by. Nothing where they are no base64.
pub(super) fn head(text: &str) -> Option<Vec<u8>> {
    let body = payload(text);
    let cut = body.char_indices().nth(64).map_or(body.len(), |(at, _)| at);
    let mut head = plain(&body[..cut]);
    if cut < body.len() {
        let groups = head.len() / 4 * 4;
        head.to_mut().truncate(groups);
    }
    LENIENT.decode(head.as_ref()).ok()
}

/// The same bytes in the one form that every model provider takes: standard alphabet, padded,
/// nothing else. Borrowed where it is so already.
pub(super) fn canonical(text: &str) -> Option<Cow<'_, str>> {
    let body = payload(text);
    if is_canonical(body.as_bytes()) {
        return Some(Cow::Borrowed(body));
    }
    decode(text).map(|bytes| Cow::Owned(STANDARD.encode(bytes)))
}

/// What stands behind a `data:image/png;base64,` that some servers leave in place.
fn payload(text: &str) -> &str {
    let text = text.trim();
    if !text.starts_with("data:") {
        return text;
    }
    text.split_once(',').map_or(text, |(_, body)| body)
}

/// The text in the standard alphabet, without white space.
fn plain(text: &str) -> Cow<'_, [u8]> {
    let odd = |byte: u8| matches!(byte, b'-' | b'_') || byte.is_ascii_whitespace();
    if !text.bytes().any(odd) {
        return Cow::Borrowed(text.as_bytes());
    }
    let standard = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => other,
        });
    Cow::Owned(standard.collect())
}

/// Whether a strict decoder takes it: one pass over the bytes, and the last group decoded for its
/// unused bits.
fn is_canonical(text: &[u8]) -> bool {
    let Some((last, rest)) = text
        .split_last_chunk::<4>()
        .map(|(rest, last)| (last, rest))
    else {
        return false;
    };
    text.len().is_multiple_of(4)
        && rest
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
        && STANDARD.decode(last).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bytes_are_read_in_every_common_form() {
        let bytes = [0xfb, 0xff, 0xfe, 0x41];
        for text in [
            "+//+QQ==",
            "+//+QQ",
            "-__-QQ==",
            "-__-QQ",
            "+//+\nQQ==\n",
            "data:image/png;base64,+//+QQ==",
        ] {
            assert_eq!(decode(text).as_deref(), Some(&bytes[..]), "{text}");
            assert_eq!(canonical(text).as_deref(), Some("+//+QQ=="), "{text}");
        }
    }

    #[test]
    fn what_is_no_base64_is_refused() {
        for text in ["!!!!", "A", "AAAA=AAA", "ä=="] {
            assert_eq!(decode(text), None, "{text}");
            assert_eq!(canonical(text), None, "{text}");
        }
    }

    #[test]
    fn the_length_is_known_before_decoding() {
        for (text, expected) in [
            ("", 0),
            ("QQ==", 1),
            ("QQ", 1),
            ("QUI=", 2),
            ("QUJD", 3),
            ("QUJDRA==", 4),
        ] {
            assert_eq!(decoded_len(text), expected, "{text}");
        }
    }
}
