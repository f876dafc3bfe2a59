//! The security notes are true to the repository: each statement names a test, and each test that is named is there.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn notes() -> String {
    fs::read_to_string(root().join("SECURITY.md")).expect("the notes are in the repository")
}

/// The tests that a text names, as file (without its extension) and function.
fn named(text: &str) -> Vec<(&str, &str)> {
    let code = text.split('`').skip(1).step_by(2);
    code.filter_map(|code| code.split_once(".rs::")).collect()
}

#[test]
fn each_test_that_is_named_is_there() {
    let notes = notes();
    let named = named(&notes);
    assert!(named.len() > 50, "the notes are read: {}", named.len());
    for (file, test) in named {
        let file = format!("{file}.rs");
        let text = fs::read_to_string(root().join(&file)).unwrap_or_default();
        let function = format!("fn {test}(");
        let mut before = text.split(&function);
        let attributes = before.next().and_then(|text| text.rsplit("\n\n").next());
        let is_test =
            attributes.is_some_and(|lines| lines.contains("test]") || lines.contains("test("));
        assert!(
            before.next().is_some() && is_test,
            "SECURITY.md names `{file}::{test}`, which is no test there"
        );
    }
}

#[test]
fn each_statement_about_what_is_not_trusted_names_its_test() {
    let notes = notes();
    let section = notes
        .split("\n## ")
        .find(|section| section.starts_with("What is not trusted"))
        .expect("the notes say what is not trusted");
    let statements: Vec<_> = section.split("\n- ").skip(1).collect();
    assert!(statements.len() > 20, "the statements are read");
    for statement in statements {
        assert!(
            !named(statement).is_empty(),
            "no test is named for: {statement}"
        );
    }
}

#[test]
fn no_package_allows_unsafe_code() {
    let lints =
        fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    assert!(lints.contains(concat!("unsafe", "_code = \"deny\"")));
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo describes the workspace");
    for package in metadata.packages {
        let manifest =
            fs::read_to_string(&package.manifest_path).expect("a package has a manifest");
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{}",
            package.name
        );
        let folder = package
            .manifest_path
            .parent()
            .expect("a manifest has a folder");
        for file in rust_files(folder.as_std_path()) {
            let text = fs::read_to_string(&file).expect("a source file can be read");
            let text: String = text.split_whitespace().collect();
            let excepted = [concat!("(unsafe", "_code"), concat!(",unsafe", "_code")];
            let found = excepted.iter().any(|lint| text.contains(lint));
            assert!(!found, "{} makes an exception", file.display());
        }
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() && !path.ends_with("target") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
