//! Each direct dependency of the workspace stands in `ARCHITECTURE.md` with its reason, and nothing else does.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cargo_metadata::MetadataCommand;

#[test]
fn each_direct_dependency_has_its_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo describes the workspace");
    let direct: BTreeSet<String> = metadata
        .packages
        .iter()
        .flat_map(|package| &package.dependencies)
        .filter(|dependency| dependency.source.is_some())
        .map(|dependency| dependency.name.clone())
        .collect();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the map is there");
    let (_, section) = text
        .split_once("### Dependencies\n")
        .expect("the section is there");
    let rows = section.lines().skip_while(|line| !line.starts_with("| `"));
    let explained: BTreeSet<String> = rows
        .take_while(|line| line.starts_with('|'))
        .filter_map(|row| row.split('|').nth(1))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned))
        .collect();
    let missing: Vec<_> = direct.difference(&explained).collect();
    assert!(
        missing.is_empty(),
        "ARCHITECTURE.md gives no reason for {missing:?}"
    );
    let gone: Vec<_> = explained.difference(&direct).collect();
    assert!(
        gone.is_empty(),
        "ARCHITECTURE.md explains what nobody depends on: {gone:?}"
    );
}
