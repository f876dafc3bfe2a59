//! Reads well-formed JSON text into a value. Unlike `serde_json` it counts the depth, finds
//! duplicate members, and takes what JSON allows but its value cannot hold: lone surrogates and
//! numbers beyond a float. Syntax is not judged here: the text comes from a `RawValue`.

use serde_json::map::Entry;
use serde_json::{Map, Value};

use super::{number, string};
use crate::limits::MAX_DEPTH;
use crate::path::Step;

/// Findings beyond this many are of no use to anyone.
const MAX_FINDINGS: usize = 64;

/// A value, and what a reader of its text should know.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) value: Value,
    pub(crate) findings: Vec<Finding>,
    /// Values in the document, the root and containers included.
    pub(crate) size: usize,
    pub(crate) depth: usize,
    /// Whether some member of an object is null.
    pub(crate) null_members: bool,
}

/// Something in the text that the value does not show.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) path: Vec<Step>,
    pub(crate) kind: FindingKind,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FindingKind {
    Duplicate,
    /// A number that is judged as the nearest float.
    Approximate(Box<str>),
}

/// The text nests deeper than [`MAX_DEPTH`].
#[derive(Debug)]
pub(crate) struct TooDeep;

/// Reads a document that is known to be well-formed.
pub(crate) fn read(text: &str) -> Result<Reading, TooDeep> {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        level: 0,
        depth: 0,
        size: 0,
        null_members: false,
        findings: Vec::new(),
    };
    let value = reader.value()?;
    for finding in &mut reader.findings {
        // The steps were collected on the way out.
        finding.path.reverse();
    }
    Ok(Reading {
        value,
        findings: reader.findings,
        size: reader.size,
        depth: reader.depth,
        null_members: reader.null_members,
    })
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    level: usize,
    depth: usize,
    size: usize,
    null_members: bool,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Value, TooDeep> {
        self.size += 1;
        match self.peek() {
            b'{' => self.nested(Self::object),
            b'[' => self.nested(Self::array),
            b'"' => Ok(Value::String(self.string())),
            b't' => Ok(self.word(4, Value::Bool(true))),
            b'f' => Ok(self.word(5, Value::Bool(false))),
            b'n' => Ok(self.word(4, Value::Null)),
            _ => Ok(self.number()),
        }
    }

    fn nested(
        &mut self,
        container: fn(&mut Self) -> Result<Value, TooDeep>,
    ) -> Result<Value, TooDeep> {
        self.level += 1;
        self.depth = self.depth.max(self.level);
        if self.level > MAX_DEPTH {
            return Err(TooDeep);
        }
        self.at += 1;
        let value = container(self)?;
        self.level -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Result<Value, TooDeep> {
        let mut members = Map::new();
        loop {
            match self.peek() {
                b'"' => {}
                b',' => {
                    self.at += 1;
                    continue;
                }
                _ => break,
            }
            let name = self.string();
            // The colon.
            self.peek();
            self.at += 1;
            let found = self.findings.len();
            let value = self.value()?;
            self.null_members |= value.is_null();
            self.step_out(found, || Step::member(&name));
            match members.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(value);
                }
                Entry::Occupied(mut place) => {
                    self.find(vec![Step::member(place.key())], FindingKind::Duplicate);
                    place.insert(value);
                }
            }
        }
        self.at += 1;
        Ok(Value::Object(members))
    }

    fn array(&mut self) -> Result<Value, TooDeep> {
        let mut items = Vec::new();
        loop {
            match self.peek() {
                b']' | 0 => break,
                b',' => {
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            let found = self.findings.len();
            items.push(self.value()?);
            self.step_out(found, || Step::Item(items.len() - 1));
        }
        self.at += 1;
        Ok(Value::Array(items))
    }

    fn number(&mut self) -> Value {
        let length = self.bytes[self.at..]
            .iter()
            .take_while(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
            .count()
            // Text that is not well-formed must not stop the reader from moving on.
            .max(1)
            .min(self.bytes.len() - self.at);
        let literal = self.text.get(self.at..self.at + length).unwrap_or("0");
        self.at += length;
        let (number, exact) = number::parse(literal);
        if !exact {
            self.find(Vec::new(), FindingKind::Approximate(literal.into()));
        }
        Value::Number(number)
    }

    fn string(&mut self) -> String {
        let (decoded, end) = string::decode(self.text, self.at);
        self.at = end;
        decoded.into_owned()
    }

    fn word(&mut self, length: usize, value: Value) -> Value {
        self.at = (self.at + length).min(self.bytes.len());
        value
    }

    /// Skips white space; 0 stands for the end, which well-formed text never holds elsewhere.
    fn peek(&mut self) -> u8 {
        while let Some(byte) = self.bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return *byte;
            }
            self.at += 1;
        }
        0
    }

    fn find(&mut self, path: Vec<Step>, kind: FindingKind) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(Finding { path, kind });
        }
    }

    fn step_out(&mut self, found: usize, step: impl Fn() -> Step) {
        for finding in &mut self.findings[found..] {
            finding.path.push(step());
        }
    }
}
