//! What the tests share: making schemas from text, and finding the material beside the repository.

#![expect(dead_code, reason = "each test file uses its own part")]

use std::path::PathBuf;

use mcp_schema::ToolSchema;
use serde_json::Value;
use serde_json::value::RawValue;

/// A schema from its text.
pub(crate) fn schema(text: &str) -> ToolSchema {
    ToolSchema::new(raw(text))
}

pub(crate) fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).expect("the test's JSON is well-formed")
}

/// What preparing comes to: the bytes that are sent, or the lines of the violations.
pub(crate) fn prepared(schema_text: &str, arguments: &str) -> Result<String, String> {
    match schema(schema_text).prepare(Some(arguments)) {
        Ok(arguments) => Ok(arguments.get().get().to_owned()),
        Err(violations) => Err(violations.to_string()),
    }
}

/// A place of the material that may stand beside the repository.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let path = root.join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} does not exist", path.display());
    None
}

/// The JSON files of a folder, by name, read.
pub(crate) fn json_files(folder: &std::path::Path) -> Vec<(String, Value)> {
    let entries = std::fs::read_dir(folder).expect("the folder can be listed");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "json")
    });
    files.sort();
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let name = file
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        (
            name,
            serde_json::from_str(&text).expect("the file holds JSON"),
        )
    };
    files.into_iter().map(read).collect()
}
