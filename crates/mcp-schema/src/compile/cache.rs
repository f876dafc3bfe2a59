//! The compiled schemas of the process, by the bytes of their text. Bounded: a validator takes
//! some twenty times the memory of its schema, and most tools are never called.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use super::checker::Checker;
use super::pipeline::compile;
use crate::coverage::{Coverage, Note};
use crate::limits::{CACHED_TEXT_BYTES, CACHED_VALIDATORS};

static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);

/// Counts uses, to tell which came last.
static CLOCK: AtomicU64 = AtomicU64::new(0);

/// A compiled schema, or what is known of one that cannot be compiled.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    outcome: OnceLock<(Arc<Summary>, Option<Checker>)>,
    used: AtomicU64,
}

/// What outlives the validator.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub(crate) coverage: Coverage,
    pub(crate) notes: Vec<Note>,
}

impl Compiled {
    pub(crate) fn summary(&self) -> Arc<Summary> {
        self.outcome
            .get()
            .map(|(summary, _)| Arc::clone(summary))
            .unwrap_or_default()
    }

    pub(crate) fn checker(&self) -> Option<&Checker> {
        self.outcome.get().and_then(|(_, checker)| checker.as_ref())
    }

    /// Marks it as just used.
    pub(crate) fn touch(&self) {
        self.used
            .store(CLOCK.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// The compiled form of a text. Whoever asks while another compiles the same bytes waits for it.
pub(crate) fn compiled(text: &str) -> Arc<Compiled> {
    let compiled = {
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        cache.entry(text)
    };
    // Outside of the lock: another schema must not wait for this one.
    compiled.outcome.get_or_init(|| {
        let outcome = compile(text);
        let summary = Summary {
            coverage: outcome.coverage,
            notes: outcome.notes,
        };
        (Arc::new(summary), outcome.checker)
    });
    compiled
}

#[derive(Default)]
struct Cache {
    /// By the text itself: a digest would cost more than it saves.
    entries: HashMap<Arc<str>, Arc<Compiled>>,
    bytes: usize,
}

impl Cache {
    fn entry(&mut self, text: &str) -> Arc<Compiled> {
        if let Some(known) = self.entries.get(text) {
            known.touch();
            return Arc::clone(known);
        }
        while self.entries.len() >= CACHED_VALIDATORS
            || (self.bytes + text.len() > CACHED_TEXT_BYTES && !self.entries.is_empty())
        {
            self.forget_oldest();
        }
        let compiled = Arc::new(Compiled::default());
        compiled.touch();
        self.entries.insert(text.into(), Arc::clone(&compiled));
        self.bytes += text.len();
        compiled
    }

    fn forget_oldest(&mut self) {
        let used = |compiled: &Arc<Compiled>| compiled.used.load(Ordering::Relaxed);
        let oldest = self
            .entries
            .iter()
            .min_by_key(|(_, compiled)| used(compiled));
        if let Some(text) = oldest.map(|(text, _)| Arc::clone(text)) {
            self.entries.remove(&text);
            self.bytes -= text.len();
        }
    }
}
