//! What can still be told from a line that is no message: whose answer it was meant to be.

use serde_json::value::RawValue;

use super::{AnswerId, Envelope};

/// The id of a message whose JSON is broken, so that its request can fail at once.
///
/// The last `"id":` that is followed by a number or string counts: an answer's own id stands before or
/// behind the broken result, and one inside the result is only taken if nothing else is there.
pub(crate) fn salvage_id(text: &str) -> AnswerId {
    let mut found = AnswerId::None;
    let mut depth_one = AnswerId::None;
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '[', ']', '"']) {
        let (mark, after) = (rest.as_bytes()[at], &rest[at + 1..]);
        match mark {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {
                let end = string_end(after);
                let (name, behind) = (&after[..end], after.get(end + 1..).unwrap_or_default());
                if name == "id"
                    && let Some(value) = behind.trim_start().strip_prefix(':')
                {
                    let id = AnswerId::parse(Some(scalar(value.trim_start())));
                    if depth == 1 {
                        depth_one = id;
                    }
                    found = id;
                }
                rest = behind;
                continue;
            }
        }
        rest = after;
    }
    if depth_one == AnswerId::None {
        found
    } else {
        depth_one
    }
}

/// How many braces of a line are tried: each may cost the length of what is left of it.
const MAX_TRIES: usize = 8;

/// The first answer in a line that begins with something else, as when a server prints without a line end. Only
/// answers: a log line that shows a request must not be taken for one, nor what stands within it.
pub(crate) fn embedded_answer(line: &str) -> Option<&str> {
    memchr::memmem::find(line.as_bytes(), b"\"jsonrpc\"")?;
    let mut rest = line;
    for _ in 0..MAX_TRIES {
        rest = &rest[rest.find('{')?..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let Some(Ok(object)) = values.next() else {
            rest = &rest[1..];
            continue;
        };
        if is_answer(object.get()) {
            return Some(object.get());
        }
        rest = &rest[values.byte_offset()..];
    }
    None
}

fn is_answer(text: &str) -> bool {
    Envelope::parse(text)
        .is_ok_and(|envelope| envelope.version && envelope.is_answer() && envelope.has_id())
}

/// The length of a string whose opening quote was read.
fn string_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(next) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        if bytes[at + next] == b'"' {
            return at + next;
        }
        at += next + 2;
    }
    bytes.len()
}

/// The number or string that a text begins with.
fn scalar(text: &str) -> &str {
    let end = match text.strip_prefix('"') {
        Some(rest) => (string_end(rest) + 2).min(text.len()),
        None => text
            .find([',', '}', ']', ' ', '\t', '\r', '\n'])
            .unwrap_or(text.len()),
    };
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_broken_message_is_found() {
        let cases = [
            (
                r#"{"jsonrpc":"2.0","id":3,"result":{oops}}"#,
                AnswerId::Number(3),
            ),
            (
                r#"{"jsonrpc":"2.0","result":{"id":9,"x":tru},"id":3}"#,
                AnswerId::Number(3),
            ),
            (
                r#"{"jsonrpc":"2.0","id":"3","result":{"a":"cut off"#,
                AnswerId::Number(3),
            ),
            (
                r#"{"jsonrpc":"2.0","id":3,"result":{"text":"\"id\":4 {"#,
                AnswerId::Number(3),
            ),
            (r#"{"jsonrpc":"2.0","result":{"#, AnswerId::None),
            (r#"{"id""#, AnswerId::None),
            (r#"{"id":"#, AnswerId::Strange),
            ("{\"id\": \"\\", AnswerId::Strange),
        ];
        for (text, expected) in cases {
            assert_eq!(salvage_id(text), expected, "{text}");
        }
    }

    #[test]
    fn only_an_answer_is_found_behind_noise() {
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        let request = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#;
        assert_eq!(
            embedded_answer(&format!("loading... {answer}")),
            Some(answer)
        );
        assert_eq!(embedded_answer(&format!("> {request}")), None);
        assert_eq!(
            embedded_answer(&format!("> {answer}{request} sent")),
            Some(answer)
        );
        assert_eq!(embedded_answer("jsonrpc"), None);
        let result_first = r#"{"result":{"a":[{}]},"jsonrpc":"2.0","id":1}"#;
        for noise in ["loading... ", "{ port: 1 } ", r#"{"level":"info"}, {} "#] {
            let line = format!("{noise}{result_first}");
            assert_eq!(embedded_answer(&line), Some(result_first), "{line}");
        }
        let shown = format!(r#"> {{"jsonrpc":"2.0","method":"x","params":{answer}}}"#);
        assert_eq!(embedded_answer(&shown), None);
    }
}
