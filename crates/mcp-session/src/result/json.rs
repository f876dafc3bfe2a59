//! JSON texts compared and compacted as text, so that every digit counts: a parsed number would
//! round beyond 64 bits.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Deeper values are not compared; a result that deep goes to the model as it came.
const DEPTH_LIMIT: usize = 128;

/// Longer texts are the same only byte for byte: read, they would need many times their size.
const LENGTH_LIMIT: usize = 1 << 20;

/// A JSON text that others are compared with: read once at most, however many there are.
pub(super) struct Wanted<'a> {
    text: &'a str,
    value: OnceCell<Option<Json<'a>>>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(text: &'a str) -> Wanted<'a> {
        Wanted {
            text: text.trim(),
            value: OnceCell::new(),
        }
    }

    /// Whether `text` is a JSON text of the same value: members in any order, white space and number
    /// notation aside.
    pub(super) fn is(&self, text: &str) -> bool {
        let (text, wanted) = (text.trim(), self.text);
        if text == wanted {
            return true;
        }
        // The first byte tells the kinds apart, so that prose is never parsed; numbers and strings may
        // differ in theirs and be equal.
        let kind = |json: &str| match json.as_bytes().first() {
            Some(b'-' | b'0'..=b'9') => Some(b'0'),
            first => first.copied(),
        };
        if kind(text) != kind(wanted)
            || text.len().max(wanted.len()) > LENGTH_LIMIT
            || serde_json::from_str::<&RawValue>(text).is_err()
        {
            return false;
        }
        match self.value.get_or_init(|| Reader::new(wanted).value(0)) {
            Some(value) => Reader::new(text).value(0).as_ref() == Some(value),
            None => false,
        }
    }
}

/// The first elements of a JSON array, and how many more there are. Nothing where it is no array.
///
/// A list of all would cost sixteen bytes for an element of two.
pub(super) fn first_elements(array: &str, limit: usize) -> (Vec<&RawValue>, usize) {
    struct First(usize);

    impl<'a> Visitor<'a> for First {
        type Value = (Vec<&'a RawValue>, usize);

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'a>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
            let mut first = Vec::new();
            while first.len() < self.0 {
                match elements.next_element()? {
                    Some(element) => first.push(element),
                    None => return Ok((first, 0)),
                }
            }
            let mut more = 0;
            while elements.next_element::<IgnoredAny>()?.is_some() {
                more += 1;
            }
            Ok((first, more))
        }
    }

    let mut reader = serde_json::Deserializer::from_str(array);
    reader.deserialize_seq(First(limit)).unwrap_or_default()
}

/// Takes the members of a JSON object in their order: who keeps the last value of a name reads a member that is
/// written twice as the other parts of a result are read. Says whether the text is an object.
pub(super) fn each_member<'a>(json: &'a str, take: impl FnMut(&str, &'a RawValue)) -> bool {
    struct Each<F>(F);

    impl<'a, F: FnMut(&str, &'a RawValue)> Visitor<'a> for Each<F> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'a>>(mut self, mut members: A) -> Result<(), A::Error> {
            while let Some((Text(name), value)) = members.next_entry()? {
                self.0(&name, value);
            }
            Ok(())
        }
    }

    let mut reader = serde_json::Deserializer::from_str(json);
    reader.deserialize_map(Each(take)).is_ok() && reader.end().is_ok()
}

/// `Cow` alone would always be read as owned.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The text of a JSON string; nothing for any other kind. Half a surrogate pair, which servers write
/// where they cut a text in the middle of a character, becomes U+FFFD and costs no more than itself.
pub(super) fn text_of(json: &str) -> Option<Cow<'_, str>> {
    if let Ok(text) = serde_json::from_str::<Text<'_>>(json) {
        return Some(text.0);
    }
    let mended = json.starts_with('"').then(|| mend_surrogates(json))?;
    serde_json::from_str(&mended).ok().map(Cow::Owned)
}

/// The JSON text with each escape of a lone surrogate replaced by that of U+FFFD.
fn mend_surrogates(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let pair = unit(rest).is_some_and(|unit| (0xD800..0xDC00).contains(&unit))
            && rest
                .get(6..)
                .and_then(unit)
                .is_some_and(|unit| (0xDC00..0xE000).contains(&unit));
        let (length, lone) = match unit(rest) {
            Some(_) if pair => (12, false),
            Some(unit) => (6, (0xD800..0xE000).contains(&unit)),
            // An escape of one ASCII character.
            None => (2, false),
        };
        out.push_str(if lone {
            "\\ufffd"
        } else {
            rest.get(..length).unwrap_or(rest)
        });
        rest = rest.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The code unit of a `\uXXXX` at the beginning of the text.
fn unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// The text without the white space between its tokens; every digit and every string stays.
pub(crate) fn compact(value: &RawValue) -> String {
    let mut out = String::with_capacity(value.get().len());
    let (mut quoted, mut escaped) = (false, false);
    for character in value.get().chars() {
        if !quoted && character.is_ascii_whitespace() {
            continue;
        }
        if !escaped && character == '"' {
            quoted = !quoted;
        }
        escaped = quoted && !escaped && character == '\\';
        out.push(character);
    }
    out
}

#[derive(PartialEq)]
pub(super) enum Json<'a> {
    Word(&'a str),
    Number(Decimal),
    String(Cow<'a, str>),
    Array(Vec<Json<'a>>),
    Object(BTreeMap<Cow<'a, str>, Json<'a>>),
}

/// A number as its digits without leading and trailing zeros, and the power of ten behind them.
#[derive(PartialEq)]
pub(super) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn read(text: &str) -> Option<Decimal> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (negative, mantissa) = match mantissa.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, mantissa),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        if digits.is_empty() {
            return Some(Decimal {
                negative: false,
                digits: String::new(),
                exponent: 0,
            });
        }
        let zeros = i64::try_from(all.len() - all.trim_end_matches('0').len()).ok()?;
        let fraction = i64::try_from(fraction.len()).ok()?;
        let exponent = exponent
            .parse::<i64>()
            .ok()?
            .checked_add(zeros)?
            .checked_sub(fraction)?;
        Some(Decimal {
            negative,
            digits: digits.to_owned(),
            exponent,
        })
    }
}

/// Reads a text that is known to be valid JSON; anything unexpected ends it with `None`.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { text, at: 0 }
    }

    fn value(&mut self, depth: usize) -> Option<Json<'a>> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match self.peek()? {
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => self.string().map(Json::String),
            b'-' | b'0'..=b'9' => Decimal::read(self.word()).map(Json::Number),
            _ => Some(Json::Word(self.word())),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json<'a>> {
        let mut members = BTreeMap::new();
        self.at += 1;
        while self.peek()? != b'}' {
            let key = self.string()?;
            self.take(b':');
            members.insert(key, self.value(depth + 1)?);
            self.take(b',');
        }
        self.at += 1;
        Some(Json::Object(members))
    }

    fn array(&mut self, depth: usize) -> Option<Json<'a>> {
        let mut items = Vec::new();
        self.at += 1;
        while self.peek()? != b']' {
            items.push(self.value(depth + 1)?);
            self.take(b',');
        }
        self.at += 1;
        Some(Json::Array(items))
    }

    fn string(&mut self) -> Option<Cow<'a, str>> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        self.at += 1;
        let mut escapes = false;
        while *bytes.get(self.at)? != b'"' {
            let escape = bytes[self.at] == b'\\';
            escapes |= escape;
            self.at += if escape { 2 } else { 1 };
        }
        self.at += 1;
        let quoted = self.text.get(start..self.at)?;
        if escapes {
            serde_json::from_str(quoted).ok().map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(&quoted[1..quoted.len() - 1]))
        }
    }

    /// A number or a literal: everything up to the next separator.
    fn word(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest
            .find([',', '}', ']', ' ', '\t', '\n', '\r'])
            .unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The next byte that is no white space, not consumed.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) {
        if self.peek() == Some(byte) {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn equal_values_are_the_same_however_they_are_written() {
        let deep = format!("{}{}", "[".repeat(120), "]".repeat(120));
        let cases = [
            (
                r#"{"a":1,"b":[true,null]}"#,
                "{ \"b\" : [ true , null ],\n\"a\" : 1 }",
            ),
            ("1.0", "1"),
            ("100", "1e2"),
            ("-0", "0"),
            ("0.00120", "1.2E-3"),
            ("18446744073709551616", "18446744073709551616.0"),
            (r#""Aä/""#, "\"\\u0041\\u00e4\\/\""),
            ("{}", " { } "),
            ("[[],{}]", "[ [ ] , { } ]"),
            (&deep, &format!(" {deep}")),
        ];
        for (left, right) in cases {
            assert!(Wanted::new(right).is(left), "{left} == {right}");
            assert!(Wanted::new(left).is(right), "{right} == {left}");
        }
    }

    #[test]
    fn different_values_differ_to_the_last_digit() {
        let too_deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let cases = [
            ("9007199254740993", "9007199254740992"),
            ("18446744073709551616", "18446744073709551617"),
            ("1", "\"1\""),
            ("[1,2]", "[2,1]"),
            (r#"{"a":1}"#, r#"{"a":1,"b":2}"#),
            ("true", "false"),
            ("{\"a\":1} and more", r#"{"a":1}"#),
            ("plain prose", "{}"),
            ("", "{}"),
            ("1e99999999999999999999", "1e99999999999999999998"),
            (&too_deep, &format!("[ {}", &too_deep[1..])),
        ];
        for (left, right) in cases {
            assert!(!Wanted::new(right).is(left), "{left} != {right}");
        }
    }

    #[test]
    fn half_a_surrogate_pair_costs_only_itself() {
        let cases = [
            (r#""cut \ud83d""#, "cut \u{fffd}"),
            (r#""\ude00 cut""#, "\u{fffd} cut"),
            (
                r#""\ud83d\ud83d\ude00\n\\ud83d""#,
                "\u{fffd}\u{1f600}\n\\ud83d",
            ),
            (r#""\ud83dx\"y""#, "\u{fffd}x\"y"),
        ];
        for (json, expected) in cases {
            assert_eq!(text_of(json).as_deref(), Some(expected), "{json}");
        }
        assert_eq!(text_of("7"), None);
    }

    #[test]
    fn compacting_touches_nothing_but_white_space_between_tokens() {
        let text = "{ \"a b\" : [ 1.0 , \"x \\\" y\\\\\" ] }";
        assert_eq!(compact(&raw(text)), r#"{"a b":[1.0,"x \" y\\"]}"#);
    }
}
