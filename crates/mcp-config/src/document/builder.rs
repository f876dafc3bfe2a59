//! Puts tokens together to a tree: a loop over tokens with a stack of its own, so that no depth of nesting can
//! exhaust the thread's stack. Duplicate members are found here; only the first of them enters the tree.

use std::collections::HashMap;

use super::cursor::Cursor;
use super::faults::Fault;
use super::lexer::{Token, TokenKind};
use super::node::{Member, Node, Object, Value};
use super::parse::{MAX_DEPTH, MAX_VALUES};
use super::path::JsonPath;
use super::scalar::{self, BadScalar};
use super::span::Span;
use super::{cursor, faults};

/// A member name that its object has already.
#[derive(Debug)]
pub(super) struct Duplicate {
    pub(super) path: JsonPath,
    pub(super) key: Box<str>,
    pub(super) span: Span,
    pub(super) first: Span,
}

pub(super) struct Builder<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    stack: Vec<Frame>,
    expect: Expect,
    root: Option<Node>,
    values: usize,
    /// The last token that ended a value, for the advice about a missing comma.
    pub(super) last_value: Option<Span>,
    pub(super) duplicates: Vec<Duplicate>,
}

/// An object or array that is still open.
struct Frame {
    open: Span,
    content: Content,
}

enum Content {
    Object {
        members: Vec<Member>,
        key: Option<(Box<str>, Span)>,
    },
    Array(Vec<Node>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    Value,
    /// The first item of an array, or the one after a comma.
    ItemOrClose,
    /// The first member of an object, or the one after a comma.
    NameOrClose,
    Colon,
    CommaOrClose,
    Nothing,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Builder {
            text,
            cursor: Cursor::new(text),
            stack: Vec::new(),
            expect: Expect::Value,
            root: None,
            values: 0,
            last_value: None,
            duplicates: Vec::new(),
        }
    }

    /// Takes the next token. After a fault the builder is of no more use.
    pub(super) fn take(&mut self, token: Token) -> Result<(), Fault> {
        let span = self.cursor.span(token.start, token.end);
        match (token.kind, self.expect) {
            (TokenKind::Comment, _) => Ok(()),
            (TokenKind::UnclosedString, _) => Err(faults::unclosed_string(span)),
            (TokenKind::UnclosedComment, _) => {
                Err(Fault::new(span, "this comment is not closed").help("end it with `*/`"))
            }
            (TokenKind::OpenObject | TokenKind::OpenArray, Expect::Value | Expect::ItemOrClose) => {
                self.open(token.kind, span)
            }
            (TokenKind::String, Expect::Value | Expect::ItemOrClose) => {
                let text = scalar::string(self.slice(token)).map_err(|bad| self.bad(span, &bad))?;
                self.value(Node::new(Value::String(text), span))
            }
            (TokenKind::Word, Expect::Value | Expect::ItemOrClose) => self.word(token, span),
            (TokenKind::String | TokenKind::Word, Expect::NameOrClose) => self.name(token, span),
            (TokenKind::Colon, Expect::Colon) => {
                self.expect = Expect::Value;
                Ok(())
            }
            (TokenKind::Comma, Expect::CommaOrClose) => {
                self.expect = self.inside();
                Ok(())
            }
            (TokenKind::CloseObject | TokenKind::CloseArray, _) if self.closes(token.kind) => {
                self.close(span)
            }
            _ => Err(self.unexpected(token, span)),
        }
    }

    /// The tree, once there are no more tokens.
    pub(super) fn finish(mut self) -> Result<(Node, Vec<Duplicate>), Fault> {
        let end = self.cursor.span(self.text.len(), self.text.len());
        if let Some(frame) = self.stack.last() {
            return Err(faults::unclosed(end, frame.open, frame.is_object()));
        }
        match self.root {
            Some(root) => Ok((root, self.duplicates)),
            None => Err(Fault::new(end, "the text holds no value")),
        }
    }

    fn slice(&self, token: Token) -> &'a str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    fn bad(&self, span: Span, bad: &BadScalar) -> Fault {
        let start = span.range().start;
        let literal = self.text.get(span.range()).unwrap_or_default();
        let place = match literal.char_indices().nth(bad.characters) {
            Some((into, c)) if into > 0 => {
                cursor::locate(self.text, start + into, start + into + c.len_utf8())
            }
            _ => span,
        };
        faults::bad_scalar(place, bad)
    }

    fn open(&mut self, kind: TokenKind, span: Span) -> Result<(), Fault> {
        if self.stack.len() == MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(Fault::new(span, message).help("a configuration needs a handful of levels"));
        }
        let content = if kind == TokenKind::OpenObject {
            Content::Object {
                members: Vec::new(),
                key: None,
            }
        } else {
            Content::Array(Vec::new())
        };
        self.stack.push(Frame {
            open: span,
            content,
        });
        self.expect = self.inside();
        Ok(())
    }

    /// What may follow an opening bracket or a comma.
    fn inside(&self) -> Expect {
        match self.stack.last() {
            Some(frame) if frame.is_object() => Expect::NameOrClose,
            Some(_) => Expect::ItemOrClose,
            None => Expect::Nothing,
        }
    }

    fn word(&mut self, token: Token, span: Span) -> Result<(), Fault> {
        match scalar::word(self.slice(token)).map_err(|bad| self.bad(span, &bad))? {
            Some(value) => self.value(Node::new(value, span)),
            None => Err(faults::no_value(
                span,
                self.slice(token),
                self.stack.is_empty(),
            )),
        }
    }

    fn name(&mut self, token: Token, span: Span) -> Result<(), Fault> {
        let slice = self.slice(token);
        let decoded = if token.kind == TokenKind::String {
            scalar::string(slice).map_err(|bad| self.bad(span, &bad))?
        } else {
            scalar::identifier(slice).map_err(|bad| faults::no_name(span, slice, &bad))?
        };
        if let Some(Frame {
            content: Content::Object { key, .. },
            ..
        }) = self.stack.last_mut()
        {
            *key = Some((decoded, span));
        }
        self.expect = Expect::Colon;
        Ok(())
    }

    fn value(&mut self, node: Node) -> Result<(), Fault> {
        self.values += 1;
        if self.values > MAX_VALUES {
            let message = format!("more than {MAX_VALUES} values in one document");
            return Err(Fault::new(node.span(), message));
        }
        self.last_value = Some(node.span());
        match self.stack.last_mut().map(|frame| &mut frame.content) {
            Some(Content::Array(items)) => items.push(node),
            Some(Content::Object { members, key }) => {
                if let Some((key, key_span)) = key.take() {
                    members.push(Member::new(key, key_span, node));
                }
            }
            None => self.root = Some(node),
        }
        self.expect = if self.stack.is_empty() {
            Expect::Nothing
        } else {
            Expect::CommaOrClose
        };
        Ok(())
    }

    /// Whether a closing bracket may stand here and fits the open one.
    fn closes(&self, kind: TokenKind) -> bool {
        let fits = self
            .stack
            .last()
            .is_some_and(|frame| frame.is_object() == (kind == TokenKind::CloseObject));
        let allowed = Expect::CommaOrClose == self.expect
            || Expect::NameOrClose == self.expect
            || Expect::ItemOrClose == self.expect;
        fits && allowed
    }

    fn close(&mut self, span: Span) -> Result<(), Fault> {
        let Some(frame) = self.stack.pop() else {
            return Ok(());
        };
        let whole = Span {
            end: span.end,
            ..frame.open
        };
        let value = match frame.content {
            Content::Array(items) => Value::Array(items),
            Content::Object { members, .. } => Value::Object(self.distinct(members)),
        };
        let result = self.value(Node::new(value, whole));
        self.last_value = Some(span);
        result
    }

    fn distinct(&mut self, members: Vec<Member>) -> Object {
        let mut seen: HashMap<&str, Span> = HashMap::with_capacity(members.len());
        let mut repeated = Vec::new();
        for (index, member) in members.iter().enumerate() {
            match seen.get(member.key()) {
                Some(first) => repeated.push((index, *first)),
                None => _ = seen.insert(member.key(), member.key_span()),
            }
        }
        if repeated.is_empty() {
            return Object::new(members);
        }
        let parent = self.path();
        let mut repeated = repeated.into_iter().peekable();
        let mut kept = Vec::with_capacity(members.len());
        for (index, member) in members.into_iter().enumerate() {
            match repeated.next_if(|(repeated, _)| *repeated == index) {
                Some((_, first)) => self.duplicates.push(Duplicate {
                    path: parent.member(member.key()),
                    key: member.key().into(),
                    span: member.key_span(),
                    first,
                }),
                None => kept.push(member),
            }
        }
        Object::new(kept)
    }

    /// The path of the value that is being read.
    fn path(&self) -> JsonPath {
        let mut path = JsonPath::root();
        for frame in &self.stack {
            match &frame.content {
                Content::Object {
                    key: Some((key, _)),
                    ..
                } => path.push_member(key),
                Content::Object { key: None, .. } => {}
                Content::Array(items) => path.push_index(items.len()),
            }
        }
        path
    }

    fn unexpected(&self, token: Token, span: Span) -> Fault {
        let in_object = self.stack.last().is_some_and(Frame::is_object);
        let found = faults::describe(token.kind, self.slice(token));
        faults::unexpected(span, self.expect, in_object, &found, self.last_value)
    }
}

impl Frame {
    fn is_object(&self) -> bool {
        matches!(self.content, Content::Object { .. })
    }
}
