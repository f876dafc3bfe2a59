//! Cuts a text into brackets, commas, colons, strings, words and comments. It never fails: what cannot be a token
//! is one of the odd kinds, so that the same cutting serves broken texts.

use json5::char::{is_json5_line_terminator, is_json5_whitespace};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    OpenObject,
    CloseObject,
    OpenArray,
    CloseArray,
    Colon,
    Comma,
    /// A complete string with its quotes.
    String,
    /// Everything else that is written without quotes: numbers, `true`, names.
    Word,
    Comment,
    /// A string that the end of its line or of the text cuts off.
    UnclosedString,
    UnclosedComment,
    /// A single slash.
    Slash,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lexer { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_whitespace(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(is_json5_whitespace).len();
    }

    /// The kind of the token at `self.at`, and its length.
    fn measure(&self, first: char) -> (TokenKind, usize) {
        let rest = self.rest();
        match first {
            '{' => (TokenKind::OpenObject, 1),
            '}' => (TokenKind::CloseObject, 1),
            '[' => (TokenKind::OpenArray, 1),
            ']' => (TokenKind::CloseArray, 1),
            ':' => (TokenKind::Colon, 1),
            ',' => (TokenKind::Comma, 1),
            '"' | '\'' => measure_string(rest, first as u8),
            '/' => measure_comment(rest),
            _ => (TokenKind::Word, rest.find(ends_word).unwrap_or(rest.len())),
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_whitespace();
        let first = self.rest().chars().next()?;
        let (kind, length) = self.measure(first);
        let start = self.at;
        self.at += length;
        Some(Token {
            kind,
            start,
            end: self.at,
        })
    }
}

fn measure_string(rest: &str, quote: u8) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // A backslash before a line break continues the string on the next line; CR LF counts as one break.
            b'\\' if bytes.get(at + 1..at + 3) == Some(b"\r\n") => at += 3,
            b'\\' => at += 2,
            b'\n' | b'\r' => return (TokenKind::UnclosedString, at),
            _ if byte == quote => return (TokenKind::String, at + 1),
            _ => at += 1,
        }
    }
    (TokenKind::UnclosedString, rest.len())
}

fn measure_comment(rest: &str) -> (TokenKind, usize) {
    if let Some(comment) = rest.strip_prefix("//") {
        let length = comment
            .find(is_json5_line_terminator)
            .unwrap_or(comment.len());
        (TokenKind::Comment, length + 2)
    } else if let Some(comment) = rest.strip_prefix("/*") {
        match comment.find("*/") {
            Some(length) => (TokenKind::Comment, length + 4),
            None => (TokenKind::UnclosedComment, rest.len()),
        }
    } else {
        (TokenKind::Slash, 1)
    }
}

fn ends_word(c: char) -> bool {
    is_json5_whitespace(c) || matches!(c, '{' | '}' | '[' | ']' | ':' | ',' | '"' | '\'' | '/')
}

#[cfg(test)]
mod tests {
    use super::{Lexer, TokenKind};

    fn kinds(text: &str) -> Vec<TokenKind> {
        Lexer::new(text).map(|token| token.kind).collect()
    }

    #[test]
    fn tokens_cover_the_text_in_order_without_overlap() {
        let text = "{a: 'b\\'c', /* x */ \"d\": [1, true] // end";
        let mut last = 0;
        for token in Lexer::new(text) {
            assert!(token.start >= last && token.end > token.start);
            assert!(text.get(token.start..token.end).is_some());
            last = token.end;
        }
        assert_eq!(last, text.len());
    }

    #[test]
    fn odd_ends_have_kinds_of_their_own() {
        assert_eq!(kinds("'a\nb"), [TokenKind::UnclosedString, TokenKind::Word]);
        assert_eq!(kinds("\"a\\"), [TokenKind::UnclosedString]);
        assert_eq!(kinds("\"é\\é"), [TokenKind::UnclosedString]);
        assert_eq!(kinds("/* a"), [TokenKind::UnclosedComment]);
        assert_eq!(kinds("/ a"), [TokenKind::Slash, TokenKind::Word]);
        assert_eq!(kinds("'a\\\r\nb'"), [TokenKind::String]);
    }
}
