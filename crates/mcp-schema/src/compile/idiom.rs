//! The idioms of ECMAScript's patterns that the engine reads differently, or not at all.

use super::foreign::{delimited, posix_class};
use super::named::Names;

/// The pattern in the engine's words; `None` where it stands as it is.
pub(super) fn for_engine(pattern: &str) -> Option<String> {
    let mut written = String::with_capacity(pattern.len());
    let (body, flags) = delimited(pattern).unwrap_or((pattern, String::new()));
    if !flags.is_empty() {
        written = format!("(?{flags})");
    }
    let mut scanner = Scanner {
        rest: body,
        names: Names::of(body),
        in_class: false,
        after_set: false,
        at_start: false,
    };
    while let Some(word) = scanner.next() {
        written.push_str(&word);
    }
    (written != pattern).then_some(written)
}

/// Goes through a pattern word by word: an escape or a character each.
struct Scanner<'a> {
    rest: &'a str,
    names: Names<'a>,
    /// Between brackets.
    in_class: bool,
    /// The last word of the class stands for a set of characters, such as `\w`.
    after_set: bool,
    /// No word of the class came yet.
    at_start: bool,
}

impl Scanner<'_> {
    /// The next word, as the engine wants it.
    fn next(&mut self) -> Option<String> {
        let first = self.rest.chars().next()?;
        if self.in_class {
            return Some(self.in_class(first));
        }
        // Any character, and none.
        for (word, meaning) in [("[^]", r"[\s\S]"), ("[]", r"[^\s\S]")] {
            if self.rest.starts_with(word) {
                return Some(self.take(word.len(), meaning));
            }
        }
        if let Some((length, word)) = self.reference() {
            return Some(self.take(length, &word));
        }
        Some(match first {
            '\\' => self.escape(),
            '{' if !is_repetition(self.rest) => self.take(1, r"\{"),
            '[' => {
                self.in_class = true;
                self.after_set = false;
                self.at_start = true;
                let negated = self.rest.starts_with("[^");
                if negated {
                    self.take(2, "[^")
                } else {
                    self.take(1, "[")
                }
            }
            other => self.take(other.len_utf8(), other.encode_utf8(&mut [0; 4])),
        })
    }

    /// A reference to a group by its name that comes next: its length, and what it is to the engine.
    fn reference(&self) -> Option<(usize, String)> {
        [("\\k<", '>'), ("(?P=", ')')]
            .into_iter()
            .find_map(|(open, close)| {
                let (name, _) = self.rest.strip_prefix(open)?.split_once(close)?;
                let word = self.names.reference(name)?;
                Some((open.len() + name.len() + 1, word))
            })
    }

    fn in_class(&mut self, first: char) -> String {
        let after_set = std::mem::take(&mut self.after_set);
        let at_start = std::mem::take(&mut self.at_start);
        let at_edge = at_start || self.rest.starts_with("-]");
        if let Some((length, characters)) = posix_class(self.rest) {
            self.after_set = true;
            return self.take(length, characters);
        }
        match first {
            ']' => {
                self.in_class = false;
                self.take(1, "]")
            }
            // Beside a set a hyphen spans no range, just as at either end.
            '-' if !at_edge && (after_set || is_set(&self.rest[1..])) => self.take(1, r"\-"),
            '\\' => {
                self.after_set = is_set(self.rest);
                self.escape()
            }
            other => self.take(other.len_utf8(), other.encode_utf8(&mut [0; 4])),
        }
    }

    fn escape(&mut self) -> String {
        if let Some(character) = surrogates(self.rest) {
            let word = format!("\\x{{{:x}}}", u32::from(character));
            return self.take(12, &word);
        }
        let second = self.rest[1..].chars().next();
        let after = self.rest.get(2..).unwrap_or("");
        match second {
            // To the engine these are the edges of words.
            Some('<') => self.take(2, "<"),
            Some('>') => self.take(2, ">"),
            Some('0') if !after.starts_with(|next: char| next.is_ascii_digit()) => {
                self.take(2, r"\x00")
            }
            // The braces belong to the escape.
            Some('p' | 'P' | 'u' | 'x') if after.starts_with('{') => {
                let length = self.rest.find('}').map_or(2, |end| end + 1);
                self.take_as_is(length)
            }
            Some(second) => self.take_as_is(1 + second.len_utf8()),
            None => self.take_as_is(1),
        }
    }

    fn take_as_is(&mut self, length: usize) -> String {
        let word = self.rest[..length].to_owned();
        self.take(length, &word)
    }

    fn take(&mut self, length: usize, word: &str) -> String {
        self.rest = &self.rest[length..];
        word.to_owned()
    }
}

/// Whether an escape for a set of characters comes next.
fn is_set(rest: &str) -> bool {
    let mut characters = rest.chars();
    posix_class(rest).is_some()
        || characters.next() == Some('\\')
            && matches!(
                characters.next(),
                Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P')
            )
}

/// The character of a pair of surrogates that comes next.
fn surrogates(rest: &str) -> Option<char> {
    let unit = |at: usize| {
        let digits = rest.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let pair = [unit(0)?, unit(6)?];
    let decoded = char::decode_utf16(pair).next()?.ok()?;
    // Two characters that stand for themselves are no pair.
    (decoded.len_utf16() == 2).then_some(decoded)
}

/// Whether a brace opens a repetition, such as `{2}`, `{2,}` or `{2,3}`.
fn is_repetition(rest: &str) -> bool {
    let Some((inner, _)) = rest[1..].split_once('}') else {
        return false;
    };
    let (from, to) = inner.split_once(',').unwrap_or((inner, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    !from.is_empty() && digits(from) && digits(to)
}
