//! Artifacts: the golden JSON that a scenario must reproduce byte for byte. It owns their text, what is
//! replaced in them and how two of them differ; what is put into one is `play`'s.

mod diff;
mod json;
mod print;
mod redact;

pub use diff::{DiffLine, diff_lines, unified_diff};
pub use json::{Json, sha256};
pub use redact::Redactor;
