//! Reading what a fixture server wrote down.

use std::fs;
use std::path::Path;

/// The complete lines of a journal; none where the server never started. A line that is still being
/// written is left for the next look.
pub(super) fn lines(path: &Path) -> Vec<String> {
    let bytes = fs::read(path).unwrap_or_default();
    let complete = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    String::from_utf8_lossy(&bytes[..complete])
        .lines()
        .map(str::to_owned)
        .collect()
}
