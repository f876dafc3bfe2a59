//! The material that may stand beside the repository.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "tests fail by panicking, and say what they skip"
)]

use std::path::PathBuf;

/// The JSON files of a folder of the material, in order; none, and a line that says so, where it
/// does not exist.
pub(crate) fn json_files(folder: &str) -> Vec<PathBuf> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let folder = root.join(folder);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} does not exist", folder.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "json")
    });
    files.sort();
    files
}
