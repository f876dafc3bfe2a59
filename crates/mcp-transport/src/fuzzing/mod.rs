//! What the fuzz targets of `fuzz/` call to reach parsers that are private. It is compiled for them and for this crate's
//! own tests alone, which play every kept input through the same functions.

mod envelope;
mod frame;

pub use envelope::envelope;
pub use frame::frame;

#[cfg(feature = "http")]
pub use crate::http::fuzzing::{headers, mirrored, sse};

#[cfg(test)]
#[path = "../../../../fixtures/fuzz/replay.rs"]
mod replay;

#[cfg(test)]
mod tests {
    use super::replay::replay;

    /// The targets that go through the public API are played by `tests/fuzz_corpus.rs`.
    #[test]
    fn kept_inputs_hold() {
        replay(env!("CARGO_MANIFEST_DIR"), "frame", super::frame);
        replay(env!("CARGO_MANIFEST_DIR"), "envelope", super::envelope);
    }

    #[cfg(feature = "http")]
    #[test]
    fn kept_http_inputs_hold() {
        replay(env!("CARGO_MANIFEST_DIR"), "sse", super::sse);
        replay(env!("CARGO_MANIFEST_DIR"), "headers", super::headers);
        replay(env!("CARGO_MANIFEST_DIR"), "mirrored", super::mirrored);
    }
}
