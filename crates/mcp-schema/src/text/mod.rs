//! JSON text: read into a value with bounds, and spliced without touching other bytes.

mod number;
mod read;
mod splice;
mod string;

pub(crate) use number::bound;
pub(crate) use read::{Finding, FindingKind, Reading, read};
pub(crate) use splice::without;
pub(crate) use string::lone_surrogate;
