//! The end of a server log: for most failures the first thing that a person would look for.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// How many lines are shown.
const LINES: usize = 12;

/// How many bytes at the end are looked at.
const BYTES: u64 = 16 * 1024;

/// The last lines of the log; none where there is no log.
pub(super) fn log_tail(path: &Path) -> Vec<String> {
    let bytes = read_end(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.len().saturating_sub(LINES);
    lines[first..]
        .iter()
        .map(|line| line.replace('\t', "  "))
        .collect()
}

fn read_end(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(BYTES)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
