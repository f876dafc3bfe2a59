//! Reading what the processes of a fixture server wrote down, each into a file of its own.

use std::fs;
use std::path::Path;

use crate::artifact::Json;

/// The complete lines of all journals in a server's folder, one process after the other in the order of
/// their starts: an old process may still be ending while the next one is at work, and how their lines
/// would mix says nothing. A line that is still being written is left for the next look.
pub(super) fn lines(server: &Path) -> Vec<String> {
    let Ok(listing) = fs::read_dir(server) else {
        return Vec::new();
    };
    let mut journals: Vec<(Option<u64>, Vec<String>)> = listing
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "journal")
        })
        .map(|path| complete_lines(&path))
        .map(|lines| (start(&lines), lines))
        .collect();
    journals.sort();
    journals.into_iter().flat_map(|(_, lines)| lines).collect()
}

fn complete_lines(path: &Path) -> Vec<String> {
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

fn start(lines: &[String]) -> Option<u64> {
    lines
        .iter()
        .find_map(|line| Json::lenient(line).get("start")?.as_u64())
}
