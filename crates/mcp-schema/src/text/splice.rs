//! Takes members out of a JSON text and leaves every other byte as it is.

use std::collections::BTreeMap;
use std::ops::Range;

use super::string;
use crate::path::Step;

/// The text without the members at the given places.
pub(crate) fn without(text: &str, drops: &[Vec<Step>]) -> String {
    let mut wanted = Wanted::default();
    for drop in drops {
        wanted.add(drop);
    }
    let mut scanner = Scanner {
        text,
        at: 0,
        cuts: Vec::new(),
    };
    scanner.value(Some(&wanted));
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for cut in scanner.cuts {
        kept.push_str(&text[from..cut.start]);
        from = cut.end;
    }
    kept.push_str(&text[from..]);
    kept
}

/// The places to drop, as a tree.
#[derive(Default)]
struct Wanted {
    here: bool,
    below: BTreeMap<Step, Wanted>,
}

impl Wanted {
    fn add(&mut self, path: &[Step]) {
        match path {
            [] => self.here = true,
            [step, rest @ ..] => self.below.entry(step.clone()).or_default().add(rest),
        }
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// In the order of the text.
    cuts: Vec<Range<usize>>,
}

struct Member {
    place: Range<usize>,
    dropped: bool,
}

impl Scanner<'_> {
    /// Moves over one value. It descends only where something is dropped.
    fn value(&mut self, wanted: Option<&Wanted>) {
        match (self.peek(), wanted) {
            (Some(b'{'), Some(wanted)) => self.object(wanted),
            (Some(b'['), Some(wanted)) => self.array(wanted),
            _ => self.skip(),
        }
    }

    fn object(&mut self, wanted: &Wanted) {
        self.at += 1;
        let mut members = Vec::new();
        while let Some(b'"' | b',') = self.peek() {
            if self.peek() == Some(b',') {
                self.at += 1;
                continue;
            }
            let start = self.at;
            let (name, end) = string::decode(self.text, start);
            self.at = end;
            self.peek();
            self.at += 1;
            let inner = wanted.below.get(&Step::member(&name));
            self.value(inner);
            let dropped = inner.is_some_and(|inner| inner.here);
            members.push(Member {
                place: start..self.at,
                dropped,
            });
        }
        self.at += 1;
        // Cuts inside of kept members came before; those of this object's own members lie between.
        self.cuts.extend(own_cuts(&members));
        self.cuts.sort_by_key(|cut| cut.start);
    }

    fn array(&mut self, wanted: &Wanted) {
        self.at += 1;
        let mut index = 0;
        while let Some(next) = self.peek() {
            match next {
                b']' => break,
                b',' => self.at += 1,
                _ => {
                    self.value(wanted.below.get(&Step::Item(index)));
                    index += 1;
                }
            }
        }
        self.at += 1;
    }

    fn skip(&mut self) {
        let mut level = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => self.at = string::decode(self.text, self.at).1,
                b'{' | b'[' => {
                    level += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' => {
                    level = level.saturating_sub(1);
                    self.at += 1;
                }
                b',' | b':' => {
                    self.at += 1;
                    continue;
                }
                _ => self.skip_word(),
            }
            if level == 0 {
                return;
            }
        }
    }

    fn skip_word(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let ends = |byte: &u8| b",]}: \t\r\n".contains(byte);
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at.min(self.text.len())..];
        let space = rest
            .iter()
            .take_while(|byte| b" \t\r\n".contains(byte))
            .count();
        self.at += space;
        rest.get(space).copied()
    }
}

/// What to cut for the dropped members of one object: each with the comma that joins it to a kept
/// one.
fn own_cuts(members: &[Member]) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    let mut kept_end = None;
    let mut at = 0;
    while let Some(member) = members.get(at) {
        if !member.dropped {
            kept_end = Some(member.place.end);
            at += 1;
            continue;
        }
        let run = members[at..]
            .iter()
            .take_while(|member| member.dropped)
            .count();
        let last = &members[at + run - 1];
        let next = members.get(at + run);
        cuts.push(match (kept_end, next) {
            (Some(end), _) => end..last.place.end,
            (None, Some(next)) => member.place.start..next.place.start,
            (None, None) => member.place.start..last.place.end,
        });
        at += run;
    }
    cuts
}
