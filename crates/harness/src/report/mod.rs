//! Reports of a run as files: JUnit for CI, one HTML page for people. It owns what they look like; what
//! happened is `trial`'s.

mod html;
mod junit;

pub use html::html;
pub use junit::{JunitError, junit};
