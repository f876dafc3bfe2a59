//! Why a text is not a document, in words. One fault ends the parse. No fault repeats text that may be a credential.

use super::builder::Expect;
use super::lexer::TokenKind;
use super::scalar::BadScalar;
use super::span::Span;
use crate::problem::short;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Fault {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Fault {
            span,
            message: message.into(),
            help: None,
        }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What was found, without its text unless that is short or a bracket.
pub(super) fn describe(kind: TokenKind, text: &str) -> String {
    match kind {
        TokenKind::String => "a string".to_owned(),
        TokenKind::Word if text.len() < 6 => format!("`{text}`"),
        TokenKind::Word => "a word without quotes".to_owned(),
        _ => format!("`{text}`"),
    }
}

pub(super) fn unexpected(
    span: Span,
    expect: Expect,
    in_object: bool,
    found: &str,
    last_value: Option<Span>,
) -> Fault {
    let close = if in_object { "}" } else { "]" };
    let line = last_value.map_or(1, |span| span.position.line);
    match expect {
        Expect::Nothing => Fault::new(
            span,
            format!("the document ended on line {line}, but {found} follows"),
        )
        .help("only comments may stand after the closing bracket of the whole document"),
        Expect::Value => Fault::new(span, format!("expected a value, found {found}")),
        Expect::ItemOrClose => Fault::new(span, format!("expected a value or `]`, found {found}")),
        Expect::NameOrClose => Fault::new(
            span,
            format!("expected a member name or `}}`, found {found}"),
        ),
        Expect::Colon => Fault::new(
            span,
            format!("expected `:` after the member name, found {found}"),
        )
        .help("write \"name\": value"),
        Expect::CommaOrClose if matches!(found, "`}`" | "`]`") => {
            Fault::new(span, format!("expected `,` or `{close}`, found {found}"))
                .help("the brackets do not match")
        }
        Expect::CommaOrClose => {
            Fault::new(span, format!("expected `,` or `{close}`, found {found}")).help(format!(
                "a comma may be missing after the value on line {line}"
            ))
        }
    }
}

pub(super) fn unclosed(end: Span, open: Span, is_object: bool) -> Fault {
    let (what, bracket) = if is_object {
        ("an object", "{")
    } else {
        ("an array", "[")
    };
    let at = open.position;
    Fault::new(end, format!("the text ends inside {what}")).help(format!(
        "the `{bracket}` on line {}, column {} is never closed: is the file cut off?",
        at.line, at.column
    ))
}

pub(super) fn unclosed_string(span: Span) -> Fault {
    Fault::new(span, "this string is not closed on its line")
        .help("end it with the quote it began with; a line break within a string is written \\n")
}

pub(super) fn bad_scalar(span: Span, bad: &BadScalar) -> Fault {
    let fault = Fault::new(span, bad.message.as_str());
    if bad.message.contains("escape") {
        fault.help(
            "write a backslash as \\\\ (in Windows paths too); \\u takes four digits, and two of it \
             for a character beyond \\uFFFF",
        )
    } else {
        fault.help("what is no number needs quotes")
    }
}

/// A word where a value should be.
pub(super) fn no_value(span: Span, word: &str, at_root: bool) -> Fault {
    let instead = match word {
        "True" | "TRUE" | "yes" | "on" => Some("true"),
        "False" | "FALSE" | "no" | "off" => Some("false"),
        "None" | "nil" | "undefined" | "NULL" | "Null" => Some("null"),
        _ => None,
    };
    if let Some(instead) = instead {
        let message = format!("`{word}` is not a value here");
        return Fault::new(span, message).help(format!("write `{instead}`"));
    }
    if let Some(fault) = odd_word(span, word) {
        return fault;
    }
    let message = if word.len() < 6 {
        format!("expected a value, found `{word}`")
    } else {
        "expected a value, found a word without quotes".to_owned()
    };
    let help = if at_root {
        "a document begins with `{`"
    } else {
        "strings need quotes"
    };
    Fault::new(span, message).help(help)
}

/// A word where a name should be, that is none.
pub(super) fn no_name(span: Span, word: &str, bad: &BadScalar) -> Fault {
    odd_word(span, word).unwrap_or_else(|| {
        let quoted = serde_json::Value::from(short(word));
        Fault::new(span, bad.message.as_str()).help(format!("write {quoted}"))
    })
}

/// Words that begin as in other languages.
fn odd_word(span: Span, word: &str) -> Option<Fault> {
    let (message, help) = match word.chars().next()? {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2018}' | '\u{2019}' | '\u{ab}' => (
            "typographic quotes do not make a string",
            "use the plain quotes \" or '",
        ),
        '`' => (
            "backquotes do not make a string",
            "use the plain quotes \" or '",
        ),
        '#' => ("`#` does not begin a comment", "comments begin with `//`"),
        '<' | '>' if word.starts_with("<<<<<<<") || word.starts_with(">>>>>>>") => (
            "this is a mark of a merge conflict",
            "resolve the conflict in the file",
        ),
        _ => return None,
    };
    Some(Fault::new(span, message).help(help))
}
