//! The envelope of a message, against `serde_json`'s own reading of the same text.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::wire::{
    AnswerId, Body, Envelope, Member, Members, Outcome, embedded_answer, kind_of, salvage_id,
};

type Raw<'a> = BTreeMap<String, &'a RawValue>;

const MEMBERS: [Member; 6] = [
    Member::Content,
    Member::StructuredContent,
    Member::IsError,
    Member::Meta,
    Member::Tools,
    Member::NextCursor,
];

/// Any text as a message: what `serde_json` reads in it stands in the envelope, byte for byte, and a text that only one of
/// the two takes has a result that `serde_json` does not take either. What is salvaged of a broken line belongs to it.
pub fn envelope(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let line = format!("noise: {text}");
    if let Some(answer) = embedded_answer(&line) {
        assert!(
            line.contains(answer) && Envelope::parse(answer).is_ok_and(|found| found.is_answer())
        );
    }
    let salvaged = salvage_id(text);
    let theirs = serde_json::from_str::<Raw<'_>>(text);
    let Ok(ours) = Envelope::parse(text) else {
        return assert!(theirs.is_err() || text.contains("\\u") || has_odd_number(text));
    };
    let theirs = theirs.map_err(|error| error.to_string());
    let theirs = theirs.as_ref().map_err(String::as_str);
    let Ok(theirs) = theirs else {
        return assert_eq!(theirs.err(), None, "only the envelope takes it");
    };
    compare(text, &ours, theirs);
    let id = AnswerId::parse(ours.id.map(RawValue::get));
    if matches!(id, AnswerId::Number(_)) && !text.contains('\\') {
        assert_eq!(salvaged, id);
    }
    let is_answer = ours.is_answer();
    match ours.into_outcome(text) {
        Outcome::Error(range) => assert_eq!(&text[range], theirs["error"].get()),
        Outcome::Result(_) => assert!(theirs.contains_key("result")),
        Outcome::Malformed(why) => assert!(!why.is_empty()),
    }
    if is_answer {
        assert!(theirs.contains_key("result") || theirs.contains_key("error"));
    }
}

fn compare(text: &str, ours: &Envelope<'_>, theirs: &Raw<'_>) {
    let raw = |name: &str| theirs.get(name).map(|value| value.get());
    assert_eq!(ours.version, raw("jsonrpc") == Some("\"2.0\""));
    assert_eq!(ours.id.map(RawValue::get), raw("id"));
    assert_eq!(ours.params.map(RawValue::get), raw("params"));
    assert_eq!(ours.error.map(RawValue::get), raw("error"));
    let method = raw("method").filter(|method| *method != "null");
    let method = method.map(serde_json::from_str::<String>);
    assert_eq!(ours.bad_method, method.as_ref().is_some_and(Result::is_err));
    assert_eq!(
        ours.method.as_deref(),
        method.and_then(Result::ok).as_deref()
    );
    match (&ours.result, raw("result")) {
        (None, None) => {}
        (Some(Body::Other(kind)), Some(json)) => assert_eq!(*kind, kind_of(json)),
        (Some(Body::Object(members)), Some(json)) => {
            assert_eq!(&text[members.range.clone()], json);
            compare_members(text, members, json);
        }
        (ours, theirs) => assert_eq!(ours.is_some(), theirs.is_some()),
    }
}

fn compare_members(text: &str, ours: &Members, json: &str) {
    let theirs = serde_json::from_str::<Raw<'_>>(json).unwrap_or_default();
    for member in MEMBERS {
        let value = theirs.get(member.name()).map(|value| value.get());
        assert_eq!(ours.get(text, member), value, "{}", member.name());
    }
}

/// A number that `serde_json` takes as text and not as a value stands in the text.
fn has_odd_number(text: &str) -> bool {
    text.contains(['e', 'E']) || serde_json::from_str::<Value>(text).is_err()
}
