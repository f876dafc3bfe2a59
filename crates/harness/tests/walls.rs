//! The walls between the crates: who may depend on whom, which features stay off, and whose types stay out
//! of public signatures.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

const LEAVES: [&str; 4] = ["mcp-config", "mcp-naming", "mcp-schema", "mcp-transport"];

/// Crates whose types must not be seen through ours.
const HIDDEN: [&str; 5] = ["reqwest", "nix", "rustix", "json5", "jsonschema"];

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo describes the workspace")
}

/// The packages of the workspace that each of its packages depends on, outside of tests.
fn edges(metadata: &Metadata) -> BTreeMap<String, BTreeSet<String>> {
    inner_edges(metadata, |kind| kind != DependencyKind::Development)
}

fn inner_edges(
    metadata: &Metadata,
    wanted: impl Fn(DependencyKind) -> bool,
) -> BTreeMap<String, BTreeSet<String>> {
    let ours: BTreeSet<String> = metadata
        .packages
        .iter()
        .map(|package| package.name.to_string())
        .collect();
    let inner = |package: &Package| {
        let names = package.dependencies.iter().filter(|edge| wanted(edge.kind));
        names
            .map(|edge| edge.name.clone())
            .filter(|name| ours.contains(name))
            .collect()
    };
    metadata
        .packages
        .iter()
        .map(|package| (package.name.to_string(), inner(package)))
        .collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn the_edges_between_the_crates_are_those_of_the_design() {
    let edges = edges(&metadata());
    for leaf in LEAVES {
        assert_eq!(edges[leaf], set(&[]), "{leaf} is a leaf");
    }
    assert_eq!(
        edges["mcp-session"],
        set(&LEAVES),
        "the session stands on the leaves"
    );
    let below_harness: BTreeSet<String> = set(&LEAVES)
        .into_iter()
        .chain(set(&["mcp-session", "fixture-server"]))
        .collect();
    assert!(
        edges["mcp-harness"].is_subset(&below_harness),
        "{:?}",
        edges["mcp-harness"]
    );
    assert!(edges["mcp-harness"].contains("mcp-session"));
    assert!(edges["mcp-harness"].contains("fixture-server"));
}

#[test]
fn every_package_of_the_workspace_is_known_here() {
    let names: BTreeSet<String> = edges(&metadata()).into_keys().collect();
    let mut known = set(&LEAVES);
    known.extend(set(&[
        "fixture-server",
        "mcp-abuse",
        "mcp-bench",
        "mcp-harness",
        "mcp-session",
    ]));
    assert_eq!(
        names, known,
        "a new package needs its place in the design and in this test"
    );
}

#[test]
fn the_fixture_server_shares_no_code_with_what_it_tests() {
    let all = inner_edges(&metadata(), |_| true);
    assert_eq!(all["fixture-server"], set(&[]), "not even in its tests");
}

#[test]
fn nothing_depends_on_the_benchmarks_or_from_below_on_the_harness() {
    for (package, edges) in inner_edges(&metadata(), |_| true) {
        for command in ["mcp-abuse", "mcp-bench"] {
            assert!(
                !edges.contains(command),
                "{package} depends on the command {command}"
            );
        }
        if package != "mcp-bench" {
            assert!(
                !edges.contains("mcp-harness"),
                "{package} depends on the harness"
            );
        }
    }
}

#[test]
fn tests_of_the_leaves_use_no_sibling() {
    for (package, edges) in inner_edges(&metadata(), |kind| kind == DependencyKind::Development) {
        if LEAVES.contains(&package.as_str()) {
            assert!(
                edges.is_subset(&set(&["fixture-server"])),
                "{package}: {edges:?}"
            );
        }
    }
}

#[test]
fn no_serde_json_feature_that_changes_other_programs_is_switched_on() {
    for package in &metadata().packages {
        let declared = package
            .dependencies
            .iter()
            .filter(|edge| edge.name == "serde_json")
            .flat_map(|edge| edge.features.clone());
        let forwarded = package.features.values().flatten().cloned();
        for feature in declared.chain(forwarded) {
            for banned in ["preserve_order", "arbitrary_precision"] {
                assert!(
                    !feature.ends_with(banned),
                    "{} switches on {feature}",
                    package.name
                );
            }
        }
    }
}

#[test]
fn public_signatures_show_no_type_of_a_hidden_crate() {
    let metadata = metadata();
    let libraries = metadata
        .packages
        .iter()
        .filter(|package| package.name.starts_with("mcp-") && package.name.as_str() != "mcp-bench");
    let mut shown = Vec::new();
    for package in libraries {
        let source = package
            .manifest_path
            .as_std_path()
            .parent()
            .expect("a manifest has a folder")
            .join("src");
        for file in rust_files(&source) {
            let text = fs::read_to_string(&file).expect("a source file can be read");
            let hidden = hidden_names(&text);
            for signature in public_signatures(&text) {
                if let Some(name) = hidden.iter().find(|name| has_word(&signature, name)) {
                    shown.push(format!("{}: `{name}` in `{signature}`", file.display()));
                }
            }
        }
    }
    assert_eq!(shown, Vec::<String>::new());
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a source folder can be listed") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The hidden crates, and the names that a file imports from them.
fn hidden_names(text: &str) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = HIDDEN.iter().map(|name| format!("{name}::")).collect();
    for import in text.split(';').filter_map(|part| part.split("use ").last()) {
        if HIDDEN
            .iter()
            .any(|hidden| import.starts_with(&format!("{hidden}::")))
        {
            let last = import.rsplit("::").next().unwrap_or_default();
            let words = import.split(|c: char| !c.is_alphanumeric() && c != '_');
            // A type's name is capitalised; modules and functions are of no interest here.
            names.extend(words.filter(|word| starts_upper(word)).map(str::to_owned));
            names.extend(Some(last.trim().to_owned()).filter(|last| starts_upper(last)));
        }
    }
    names
}

fn starts_upper(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Each public item up to its body; fields of public structs are items of their own here.
fn public_signatures(text: &str) -> Vec<String> {
    let mut signatures = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !line.trim_start().starts_with("pub ") {
            continue;
        }
        let mut signature = line.trim().to_owned();
        while !signature.ends_with(['{', ';', ',', '}']) {
            let Some(more) = lines.next() else { break };
            signature.push(' ');
            signature.push_str(more.trim());
        }
        signatures.push(signature);
    }
    signatures
}

fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(part) && (word.ends_with("::") || !after.is_some_and(part))
    })
}
