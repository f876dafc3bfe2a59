//! From bytes to a document: encoding, then tokens, then the tree.

use std::path::Path;

use super::builder::{Builder, Duplicate};
use super::cursor;
use super::encoding;
use super::faults::Fault;
use super::lexer::{Lexer, TokenKind};
use super::lookalike;
use super::node::Node;
use super::path::JsonPath;
use super::source::Source;
use crate::problem::{Problem, Severity, short};

/// How deep objects and arrays may be nested.
pub const MAX_DEPTH: usize = 128;

/// How many values one document may hold, so that a small file cannot become a huge tree.
pub const MAX_VALUES: usize = 1_000_000;

/// How many duplicate members of one document are reported.
const MAX_DUPLICATES: usize = 100;

/// The outcome of a parse: a document if the text is one, and what is wrong.
///
/// With a document there may still be problems: duplicate members, of which the first holds.
///
/// ```
/// use mcp_config::document;
///
/// let parsed = document::parse("t", b"{ a: 1, a: 2 }");
/// assert_eq!((parsed.document.is_some(), parsed.problems.len()), (true, 1));
/// ```
#[derive(Debug)]
pub struct Parsed {
    /// The document; absent exactly if the text is broken.
    pub document: Option<Document>,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// A text that was read, and its tree.
///
/// ```
/// use mcp_config::document;
///
/// let document = document::parse("t.json5", b"[1]").document.expect("an array");
/// assert_eq!(document.source().file().to_str(), Some("t.json5"));
/// assert!(document.root().as_array().is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    root: Node,
    source: Source,
}

impl Document {
    /// The value of the whole document.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The text, from which problems are made.
    pub fn source(&self) -> &Source {
        &self.source
    }
}

/// Reads a text in JSON5. `file` is only a name for problems; nothing is opened.
///
/// A leading byte order mark is skipped. Text that is not UTF-8, NUL bytes, nesting deeper than [`MAX_DEPTH`] and
/// more than [`MAX_VALUES`] values are problems.
///
/// ```
/// use mcp_config::document;
///
/// let parsed = document::parse("demo.json", b"{\n  \"a\": 1,,\n}");
/// assert!(parsed.document.is_none());
/// let problem = &parsed.problems[0];
/// assert_eq!((problem.line(), problem.column()), (Some(2), Some(10)));
/// assert_eq!(problem.message(), "expected a member name or `}`, found `,`");
/// ```
pub fn parse(file: impl AsRef<Path>, bytes: &[u8]) -> Parsed {
    let file = file.as_ref();
    let text = match encoding::decode(bytes) {
        Ok(text) => text,
        Err(bad) => {
            let source = Source::new(file, bad.readable);
            return broken(&source, bad.fault);
        }
    };
    let source = Source::new(file, text.to_owned());
    match build(source.text()) {
        Ok((root, duplicates)) => {
            let problems = report(&source, &duplicates);
            Parsed {
                document: Some(Document { root, source }),
                problems,
            }
        }
        Err(mut fault) => {
            if let Some(help) = lookalike::recognise(source.text()) {
                fault.help = Some(help);
            }
            broken(&source, fault)
        }
    }
}

/// Whether a text says nothing: white space and comments only, as in a file that somebody created and did not fill.
///
/// ```
/// assert!(mcp_config::document::is_blank(b"\n// nothing yet\n"));
/// assert!(!mcp_config::document::is_blank(b"{}"));
/// ```
pub fn is_blank(bytes: &[u8]) -> bool {
    let says_nothing = |text| Lexer::new(text).all(|token| token.kind == TokenKind::Comment);
    encoding::decode(bytes).is_ok_and(says_nothing)
}

fn build(text: &str) -> Result<(Node, Vec<Duplicate>), Fault> {
    if let Some(nul) = text.find('\0') {
        let span = cursor::locate(text, nul, nul + 1);
        return Err(Fault::new(span, "the file contains a NUL byte").help(
            "save it as UTF-8: it may be UTF-16, no text at all, or cut off while it was written",
        ));
    }
    let mut builder = Builder::new(text);
    for token in Lexer::new(text) {
        builder.take(token)?;
    }
    builder.finish()
}

fn broken(source: &Source, fault: Fault) -> Parsed {
    let path = JsonPath::root();
    let problem = source.problem(Severity::Error, fault.span, &path, fault.message);
    let problem = match fault.help {
        Some(help) => problem.with_help(help),
        None => problem,
    };
    Parsed {
        document: None,
        problems: vec![problem],
    }
}

fn report(source: &Source, duplicates: &[Duplicate]) -> Vec<Problem> {
    let shown = duplicates.iter().take(MAX_DUPLICATES);
    let mut problems: Vec<Problem> = shown.map(|duplicate| one(source, duplicate)).collect();
    if let Some(more) = duplicates.len().checked_sub(MAX_DUPLICATES + 1) {
        let message = format!("and {} more duplicate members", more + 1);
        let last = &duplicates[MAX_DUPLICATES];
        problems.push(source.problem(Severity::Error, last.span, &JsonPath::root(), message));
    }
    // Inner objects close before outer ones; people read from top to bottom.
    problems.sort_by_key(|problem| (problem.line(), problem.column()));
    problems
}

fn one(source: &Source, duplicate: &Duplicate) -> Problem {
    let first = duplicate.first.position();
    let message = format!(
        "duplicate member `{}`; the first one holds",
        short(&duplicate.key)
    );
    source
        .problem(Severity::Error, duplicate.span, &duplicate.path, message)
        .with_help(format!(
            "it is already on line {}, column {}: remove one of them",
            first.line, first.column
        ))
}
