//! What a figure was measured with.

use std::process::Command;

/// The workspace's lock file, which says what every client here stands on.
const LOCK: &str = include_str!("../../../Cargo.lock");
/// The packages whose version matters to a figure.
const PACKAGES: [&str; 6] = [
    "rmcp",
    "tokio",
    "hyper",
    "reqwest",
    "serde_json",
    "jsonschema",
];

/// This project and what it stands on, a name and a version each.
pub(crate) fn own() -> Vec<String> {
    let mut versions = vec![format!("mcp-transport {}", env!("CARGO_PKG_VERSION"))];
    versions.extend(PACKAGES.iter().filter_map(|name| locked(name)));
    versions.extend(compiler());
    versions
}

fn locked(name: &str) -> Option<String> {
    let (_, entry) = LOCK.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    let (version, _) = entry.split_once('"')?;
    Some(format!("{name} {version}"))
}

/// As `cargo` finds it, so most likely the one that built this.
fn compiler() -> Option<String> {
    let output = Command::new("rustc").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.split(' ').nth(1)?;
    Some(format!("rustc {version}"))
}
