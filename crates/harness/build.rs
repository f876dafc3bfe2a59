//! Embeds the repository's scenarios and artifacts, so that an installed command needs no clone.

#![expect(clippy::expect_used, reason = "a build script fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script its folders by variables"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root =
        PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo names the package's folder"));
    let repository = root.join("../..");
    let table = format!(
        "pub(super) static SCENARIOS: &[(&str, &str)] = &[\n{}];\n\
         pub(super) static ARTIFACTS: &[(&str, &str)] = &[\n{}];\n",
        entries(&repository.join("fixtures/scenarios"), "json5"),
        entries(&repository.join("artifacts"), "json"),
    );
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo names the output folder"));
    fs::write(out.join("embedded.rs"), table).expect("the table can be written");
}

/// One `("suite/file", include_str!(…))` line for each file of each suite, sorted.
fn entries(folder: &Path, extension: &str) -> String {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut lines = String::new();
    for suite in sorted(folder).into_iter().filter(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", suite.display());
        for file in sorted(&suite) {
            if file.extension().is_some_and(|found| found == extension) {
                let name = format!("{}/{}", file_name(&suite), file_name(&file));
                let path = fs::canonicalize(&file).expect("a file that was listed has a path");
                let path = path.to_str().expect("the repository's path is Unicode");
                writeln!(lines, "    ({name:?}, include_str!({path:?})),")
                    .expect("a string takes it");
            }
        }
    }
    lines
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let Ok(listing) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = listing
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
