//! Any bytes: no panic, agreement with the json5 crate on what is a document, places within the text, no control
//! character in a report, and compact JSON that reads as the same tree.

use mcp_config::document::{self, Node, Value};
use mcp_config::{RenderOptions, render};

pub(crate) fn run(bytes: &[u8]) {
    let parsed = document::parse("fuzz.json5", bytes);
    let report = render(&parsed.problems, RenderOptions::default());
    assert!(
        !report.contains(|c: char| c.is_control() && c != '\n'),
        "{report:?}"
    );
    assert_eq!(
        parsed.document.is_none(),
        parsed
            .problems
            .iter()
            .any(|problem| !problem.message().contains("duplicate"))
    );
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(document) = &parsed.document {
        check_places(text, document.root());
        let json = document.root().to_json();
        let again = document::parse("again.json", json.as_bytes());
        assert_eq!(
            again
                .document
                .expect("compact JSON is a document")
                .root()
                .to_json(),
            json
        );
    }
    // The json5 crate recurses, and allows NUL; our limits are ours.
    let nests_deeply = text.matches(['[', '{']).count() > document::MAX_DEPTH;
    if !nests_deeply && !text.contains('\0') {
        let theirs = json5::from_str::<serde_json::Value>(text);
        assert_eq!(
            parsed.document.is_some(),
            theirs.is_ok(),
            "{theirs:?} {:?}",
            parsed.problems
        );
    }
}

fn check_places(text: &str, node: &Node) {
    let range = node.span().range();
    assert!(text.get(range).is_some());
    match node.value() {
        Value::Array(items) => items.iter().for_each(|item| check_places(text, item)),
        Value::Object(object) => object
            .members()
            .iter()
            .for_each(|member| check_places(text, member.value())),
        _ => {}
    }
}
