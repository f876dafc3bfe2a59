//! Takes a value apart in one pass, with a stack for nested defaults instead of recursion.

use super::kind::{Fallback, Part};

/// How deep defaults may be nested; a deeper reference stands for itself.
const MAX_NESTING: usize = 8;

pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parser = Parser {
        rest: text,
        open: Vec::new(),
        parts: Vec::new(),
    };
    while !parser.rest.is_empty() {
        parser.step();
    }
    parser.finish()
}

struct Parser<'a> {
    rest: &'a str,
    /// References whose default is being read.
    open: Vec<Open<'a>>,
    /// The parts of the innermost level.
    parts: Vec<Part>,
}

struct Open<'a> {
    /// `${VAR:-`, which stands for itself if its end is never found.
    opener: &'a str,
    name: &'a str,
    /// The parts of the level around it.
    outer: Vec<Part>,
}

impl<'a> Parser<'a> {
    fn step(&mut self) {
        let stop = |c: char| c == '$' || (c == '}' && !self.open.is_empty());
        let plain = self.rest.find(stop).unwrap_or(self.rest.len());
        if plain > 0 {
            let literal = self.eat(plain);
            push_literal(&mut self.parts, literal);
        } else if self.rest.starts_with('}') {
            self.eat(1);
            self.close();
        } else {
            self.dollar();
        }
    }

    fn eat(&mut self, length: usize) -> &'a str {
        let (eaten, rest) = self.rest.split_at(length);
        self.rest = rest;
        eaten
    }

    /// `self.rest` begins with a dollar sign.
    fn dollar(&mut self) {
        let after = self.rest.get(1..).unwrap_or_default();
        if after.starts_with('$') {
            self.eat(2);
            push_literal(&mut self.parts, "$");
        } else if let Some(after) = after.strip_prefix('{') {
            self.braces(after);
        } else if let Some(after) = after.strip_prefix('<') {
            let name = leading_name(after);
            let closed = after
                .get(name.len()..)
                .is_some_and(|rest| rest.starts_with('>'));
            self.reference(name, if closed { name.len() + 3 } else { 0 });
        } else {
            let name = leading_name(after);
            self.reference(name, if name.is_empty() { 0 } else { name.len() + 1 });
        }
    }

    /// A reference of `length` bytes, or a dollar sign that stands for itself.
    fn reference(&mut self, name: &str, length: usize) {
        if name.is_empty() || length == 0 {
            let dollar = self.eat(1);
            push_literal(&mut self.parts, dollar);
        } else {
            self.eat(length);
            self.parts.push(Part::Variable {
                name: name.into(),
                fallback: Fallback::None,
            });
        }
    }

    fn braces(&mut self, after: &'a str) {
        let name = leading_name(after);
        let Some(operator) = after.get(name.len()..).filter(|_| !name.is_empty()) else {
            return self.reference("", 0);
        };
        if operator.starts_with('}') {
            self.reference(name, name.len() + 3);
        } else if operator.starts_with(":-") && self.open.len() < MAX_NESTING {
            let opener = self.eat(name.len() + 4);
            let outer = std::mem::take(&mut self.parts);
            self.open.push(Open {
                opener,
                name,
                outer,
            });
        } else if let Some(message) = operator.strip_prefix(":?")
            && let Some((message, _)) = message.split_once('}')
        {
            self.eat(name.len() + message.len() + 5);
            let fallback = Fallback::Message(message.into());
            self.parts.push(Part::Variable {
                name: name.into(),
                fallback,
            });
        } else {
            self.reference("", 0);
        }
    }

    fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            let default = std::mem::replace(&mut self.parts, open.outer);
            let fallback = Fallback::Default(default);
            self.parts.push(Part::Variable {
                name: open.name.into(),
                fallback,
            });
        }
    }

    fn finish(mut self) -> Vec<Part> {
        while let Some(open) = self.open.pop() {
            let inner = std::mem::replace(&mut self.parts, open.outer);
            push_literal(&mut self.parts, open.opener);
            for part in inner {
                match part {
                    Part::Literal(text) => push_literal(&mut self.parts, &text),
                    Part::Variable { .. } => self.parts.push(part),
                }
            }
        }
        self.parts
    }
}

fn push_literal(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        Some(Part::Literal(literal)) => literal.push_str(text),
        _ => parts.push(Part::Literal(text.to_owned())),
    }
}

/// The longest name of a variable at the beginning of a text.
fn leading_name(text: &str) -> &str {
    let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !in_name(c)).unwrap_or(text.len());
    let name = text.get(..end).unwrap_or_default();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        ""
    } else {
        name
    }
}
