//! Any text as the result of a tool call, for a model with and one without images: something is always given, no part is
//! blank, images are what they say they are, structured content stays as it was sent, and a plain list of texts comes
//! through as it is.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp_session::ContentPart;
use mcp_session::result::{RawResult, ResultOptions, convert};
use serde_json::Value;

const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

pub(crate) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let raw = RawResult::read(text);
    for images in [true, false] {
        let result = convert(raw, &ResultOptions { images });
        assert!(!result.content.is_empty());
        for part in &result.content {
            check_part(part, images);
        }
        assert_eq!(result.is_error, raw.is_error);
        let structured = result.structured.as_ref().map(|json| json.get());
        assert_eq!(structured, raw.structured.filter(|json| *json != "null"));
        if let Some(texts) = plain_texts(text) {
            let given = result.content.iter().map(|part| match part {
                ContentPart::Text { text } => text.clone(),
                other => panic!("{other:?}"),
            });
            assert_eq!(given.collect::<Vec<_>>(), texts);
        }
    }
}

fn check_part(part: &ContentPart, images: bool) {
    match part {
        ContentPart::Text { text } => assert!(!text.trim().is_empty()),
        ContentPart::Image { mime_type, data } => {
            assert!(
                images && IMAGES.contains(&mime_type.as_str()),
                "{mime_type}"
            );
            assert!(
                !STANDARD
                    .decode(data)
                    .expect("an image is canonical base64")
                    .is_empty()
            );
        }
        other => panic!("{other:?}"),
    }
}

/// The texts of a result that has nothing but a list of text parts, all of which say something.
fn plain_texts(json: &str) -> Option<Vec<String>> {
    let value: Value = serde_json::from_str(json).ok()?;
    let members = value.as_object()?;
    let texts = members.get("content")?.as_array()?.iter().map(|part| {
        let part = part
            .as_object()
            .filter(|part| part.len() == 2 && part.get("type") == Some(&"text".into()))?;
        part.get("text")?
            .as_str()
            .filter(|text| !text.trim().is_empty())
            .map(str::to_owned)
    });
    texts
        .collect::<Option<Vec<_>>>()
        .filter(|texts| members.len() == 1 && !texts.is_empty())
}
