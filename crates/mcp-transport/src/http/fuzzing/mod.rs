//! The fuzzed parsers of HTTP answers; see `crate::fuzzing`.

#![expect(
    clippy::missing_panics_doc,
    reason = "a fuzz target fails by panicking"
)]

mod headers;
mod mirrored;
mod sse;

pub use headers::headers;
pub use mirrored::mirrored;
pub use sse::sse;
