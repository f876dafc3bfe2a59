//! The bounds that hold before anything recursive or slow starts, in one place.

/// Levels of nesting of a schema or an instance, counted on its text.
pub(crate) const MAX_DEPTH: usize = 256;

/// Bytes of a schema's text. The largest published tool schema we know has 76 kB.
pub(crate) const MAX_SCHEMA_BYTES: usize = 2 * 1024 * 1024;

/// Visits of schema nodes that one validation may need at worst.
pub(crate) const MAX_COST: u64 = 4_000_000;

/// Schema nodes on the stack at once, over all levels of the instance.
pub(crate) const MAX_HEIGHT: u64 = 16_384;

/// Steps back of one match of a pattern that needs a backtracking engine.
pub(crate) const BACKTRACK_STEPS: usize = 10_000;

/// What one evaluation of a backtracking pattern counts in the cost, in visits of schema nodes.
pub(crate) const BACKTRACKING_COST: u64 = 4_000;

/// Bytes of one compiled pattern.
pub(crate) const MAX_PATTERN_BYTES: usize = 4 * 1024 * 1024;

/// Bytes of all compiled patterns of a schema.
pub(crate) const PATTERN_BUDGET_BYTES: usize = 32 * 1024 * 1024;

/// Different patterns of a schema that are compiled.
pub(crate) const MAX_PATTERNS: usize = 500;

/// Schema objects of a schema.
pub(crate) const MAX_NODES: usize = 50_000;

/// Bytes of the pointers to all schema objects of a schema: the validator keeps them.
pub(crate) const MAX_POINTER_BYTES: usize = 16 * 1024 * 1024;

/// Compiled validators that are kept, over the whole process.
pub(crate) const CACHED_VALIDATORS: usize = 256;

/// Bytes of schema text whose validators are kept; a validator takes some twenty times as much.
pub(crate) const CACHED_TEXT_BYTES: usize = 4 * 1024 * 1024;

/// Parts times levels of a value whose alternatives are explained: the validator copies what each
/// branch of each level was given.
pub(crate) const MAX_EXPLAINED: usize = 250_000;

/// Violations that are told one by one.
pub(crate) const SHOWN_VIOLATIONS: usize = 5;
