//! What other crates rely on: defaults, and what may cross threads.

use std::time::Duration;

use mcp_transport::{
    CallOptions, CallResult, ConnectError, Connection, DropReason, EXIT_GRACE, Events, Handlers,
    MAX_MESSAGE, MAX_REQUEST, Mask, Options, PROBE_WAIT, ProtocolVersion, REQUEST_TIMEOUT,
    RequestError, START_TIMEOUT,
};

#[test]
fn the_defaults_are_those_of_the_design() {
    assert_eq!(START_TIMEOUT, Duration::from_secs(30));
    assert_eq!(REQUEST_TIMEOUT, Duration::from_mins(1));
    assert_eq!(MAX_REQUEST, Duration::from_mins(10));
    assert_eq!(PROBE_WAIT, Duration::from_secs(1));
    assert_eq!(EXIT_GRACE, Duration::from_millis(100));
    assert_eq!(MAX_MESSAGE, 16 * 1024 * 1024);
    let versions: Vec<_> = ProtocolVersion::SUPPORTED
        .iter()
        .map(|version| version.as_str())
        .collect();
    assert_eq!(
        versions,
        [
            "2026-07-28",
            "2025-11-25",
            "2025-06-18",
            "2025-03-26",
            "2024-11-05"
        ]
    );
}

#[test]
fn what_crosses_threads_may() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Connection>();
    shared::<Events>();
    shared::<Options>();
    shared::<Handlers>();
    shared::<CallOptions>();
    shared::<CallResult>();
    shared::<RequestError>();
    shared::<ConnectError>();
    shared::<DropReason>();
}

#[test]
fn a_mask_hides_values_as_they_are_escaped_and_by_their_lines() {
    let key = "-----BEGIN KEY-----\nline \"one\"\nabc\n-----END KEY-----";
    let mask = Mask::new(["hunter22", key, "", "é–\u{1f980}x", "ab/cd+ef=="]);
    let cases = [
        ("", ""),
        ("nothing", "nothing"),
        ("hunter22hunter22", "[SECRET][SECRET]"),
        ("a hunter22 b hunter2", "a [SECRET] b hunter2"),
        (key, "[SECRET]"),
        ("line \"one\"", "[SECRET]"),
        ("abc", "abc"),
        (
            r#"{"k":"-----BEGIN KEY-----\nline \"one\"\nabc\n-----END KEY-----"}"#,
            r#"{"k":"[SECRET]"}"#,
        ),
        ("é–\u{1f980}xé", "[SECRET]é"),
        (r#"{"token":"ab\/cd+ef=="}"#, r#"{"token":"[SECRET]"}"#),
        (
            "for url 'http://h/?key=ab%2Fcd%2Bef%3D%3D'",
            "for url 'http://h/?key=[SECRET]'",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(mask.apply(text), expected, "{text}");
    }
    assert_eq!(Mask::default().apply("hunter22"), "hunter22");
    assert_eq!(Mask::new(["aab", "abb"]).apply("aabb"), "[SECRET]");
}

#[test]
fn a_result_can_be_made_of_json() {
    let result = CallResult::from_json(r#" {"content":"Hello","isError":true,"x":1} "#).unwrap();
    assert_eq!(result.raw(), r#"{"content":"Hello","isError":true,"x":1}"#);
    assert_eq!(
        (result.content(), result.is_error()),
        (Some("\"Hello\""), true)
    );
    assert_eq!(result.parts()[0].get(), "\"Hello\"");
    assert!(CallResult::from_json("{}").unwrap().parts().is_empty());
    assert!(
        CallResult::from_json(r#"{"content":null}"#)
            .unwrap()
            .parts()
            .is_empty()
    );
    for (written, is_error) in [
        ("true", true),
        (r#""True""#, true),
        ("1", true),
        (r#""false""#, false),
        ("0", false),
        ("null", false),
    ] {
        let json = format!(r#"{{"content":"x","isError":{written}}}"#);
        let result = CallResult::from_json(&json).unwrap();
        assert_eq!(result.is_error(), is_error, "{written}");
    }
    for bad in ["", "[]", "null", "{", r#"{"isError":"x"}"#, "{},"] {
        assert!(CallResult::from_json(bad).is_err(), "{bad}");
    }
}
