//! Patterns: which the engine can compile, and what of ECMAScript it needs to be told.

use std::collections::HashMap;

use jsonschema::{FancyRegex, PatternCache, PatternOptions, ValidationOptions};
use serde_json::json;

use crate::limits::{BACKTRACK_STEPS, MAX_PATTERN_BYTES, MAX_PATTERNS, PATTERN_BUDGET_BYTES};

/// What is known of one pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// It compiles as it stands.
    Fine,
    /// It compiles, written for this engine.
    Rewritten(String),
    /// The engine cannot compile it.
    Impossible,
}

/// Judges the patterns of one schema, with the bounds that its validator will have.
pub(crate) struct Patterns {
    options: ValidationOptions<'static>,
    judged: HashMap<String, Judgement>,
}

impl Patterns {
    /// For a schema that has about so many patterns.
    pub(crate) fn new(count: usize) -> Self {
        let options = jsonschema::options()
            .offline()
            .should_validate_formats(false)
            .with_pattern_options(engine(count))
            .with_pattern_cache(PatternCache::new());
        Self {
            options,
            judged: HashMap::new(),
        }
    }

    /// The options of the validator: the same engine, and what it compiled already.
    pub(crate) fn options(self) -> ValidationOptions<'static> {
        self.options
    }

    pub(crate) fn judge(&mut self, pattern: &str) -> Judgement {
        if let Some(judgement) = self.judged.get(pattern) {
            return judgement.clone();
        }
        let judgement = if self.judged.len() >= MAX_PATTERNS {
            Judgement::Impossible
        } else {
            self.judge_anew(pattern)
        };
        self.judged.insert(pattern.to_owned(), judgement.clone());
        judgement
    }

    fn judge_anew(&self, pattern: &str) -> Judgement {
        let rewritten = for_engine(pattern);
        let compiles = |pattern: &str| {
            // The library's own compilation decides, so that nothing is judged twice in two ways.
            self.options.build(&json!({ "pattern": pattern })).is_ok()
        };
        match rewritten {
            Some(rewritten) if compiles(&rewritten) => Judgement::Rewritten(rewritten),
            None if compiles(pattern) => Judgement::Fine,
            _ => Judgement::Impossible,
        }
    }
}

/// The engine's bounds. Patterns share a budget, since a schema may hold any number of them.
fn engine(count: usize) -> PatternOptions<FancyRegex> {
    let share = PATTERN_BUDGET_BYTES / count.max(1);
    let bytes = share.clamp(MAX_PATTERN_BYTES / 64, MAX_PATTERN_BYTES);
    PatternOptions::fancy_regex()
        .backtrack_limit(BACKTRACK_STEPS)
        .size_limit(bytes)
}

/// The pattern in the engine's words, where ECMAScript says the same in words that the engine
/// reads differently or not at all.
fn for_engine(pattern: &str) -> Option<String> {
    let mut written = String::with_capacity(pattern.len());
    let mut rest = pattern;
    let mut in_class = false;
    while let Some(first) = rest.chars().next() {
        let (word, length) = if in_class {
            class_word(rest)
        } else {
            plain_word(rest)
        };
        match first {
            '[' if !in_class && length == 1 => in_class = true,
            ']' => in_class = false,
            _ => {}
        }
        written.push_str(word);
        rest = &rest[length..];
    }
    (written != pattern).then_some(written)
}

/// The next word outside of a class, for the engine, and its length in the pattern.
fn plain_word(rest: &str) -> (&str, usize) {
    // Any character, and none.
    for (word, meaning) in [("[^]", r"[\s\S]"), ("[]", r"[^\s\S]")] {
        if rest.starts_with(word) {
            return (meaning, word.len());
        }
    }
    if rest.starts_with('{') && !is_repetition(rest) {
        return (r"\{", 1);
    }
    class_word(rest)
}

fn class_word(rest: &str) -> (&str, usize) {
    let mut characters = rest.chars();
    let first = characters.next().map_or(0, char::len_utf8);
    if !rest.starts_with('\\') {
        return (&rest[..first], first);
    }
    match characters.next() {
        // To the engine these are the edges of words.
        Some('<') => ("<", 2),
        Some('>') => (">", 2),
        // The braces belong to the escape.
        Some('p' | 'P' | 'u' | 'x') if rest[2..].starts_with('{') => {
            let length = rest.find('}').map_or(2, |end| end + 1);
            (&rest[..length], length)
        }
        Some('0') if !rest[2..].starts_with(|next: char| next.is_ascii_digit()) => (r"\x00", 2),
        Some(second) => {
            let length = first + second.len_utf8();
            (&rest[..length], length)
        }
        None => (rest, first),
    }
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
