//! Patterns: which the engine can compile, and what of ECMAScript it needs to be told.

use std::collections::HashMap;

use jsonschema::{FancyRegex, PatternCache, PatternOptions, ValidationOptions};
use serde_json::json;

use super::idiom::for_engine;
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
    /// Compile each pattern to judge it, rather than trust that the whole schema will compile.
    strict: bool,
    judged: HashMap<String, Judgement>,
}

impl Patterns {
    /// For a schema that has so many different patterns.
    pub(crate) fn new(count: usize, strict: bool) -> Self {
        let options = jsonschema::options()
            .offline()
            .should_validate_formats(false)
            .with_pattern_options(engine(count))
            .with_pattern_cache(PatternCache::new());
        Self {
            options,
            strict,
            judged: HashMap::new(),
        }
    }

    /// The options of the validator: the same engine, and what it compiled already; and how the
    /// server wrote the patterns that were written anew.
    pub(crate) fn finish(self) -> (ValidationOptions<'static>, HashMap<String, String>) {
        let rewritten =
            self.judged
                .into_iter()
                .filter_map(|(pattern, judgement)| match judgement {
                    Judgement::Rewritten(written) => Some((written, pattern)),
                    _ => None,
                });
        (self.options, rewritten.collect())
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
            !self.strict || self.options.build(&json!({ "pattern": pattern })).is_ok()
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
