//! The page of results says what its figures say.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

fn page(figures: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mcp-bench"))
        .args(["page", "--figures"])
        .arg(figures)
        .output()
        .expect("the command can be started")
}

#[test]
fn the_committed_page_is_what_its_figures_give() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    for file in ["performance.json", "performance.md"] {
        let committed = Path::new(DOCS).join(file);
        fs::copy(committed, folder.path().join(file)).expect("the page is committed");
    }
    let output = page(&folder.path().join("performance.json"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    for file in ["performance.md", "performance.svg"] {
        let read = |folder: &Path| fs::read_to_string(folder.join(file)).expect("it is text");
        assert_eq!(
            read(folder.path()),
            read(Path::new(DOCS)),
            "{file}: run `cargo run --release -p mcp-bench -- page`"
        );
    }
}

#[test]
fn figures_that_a_page_wants_and_the_file_lacks_are_named() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let figures = folder.path().join("some.json");
    let empty = r#"{"machine": {"processor": "p", "cores": 1, "system": "s"}, "versions": [], "suites": []}"#;
    fs::write(&figures, empty).expect("figures can be written");
    let text = "<!-- figures: sequential -->\n<!-- end -->\n";
    fs::write(folder.path().join("some.md"), text).expect("a page can be written");
    let output = page(&figures);
    assert!(!output.status.success());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("no figures of \"sequential\""), "{told}");
}
