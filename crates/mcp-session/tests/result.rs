//! Results of servers as content for a model, case by case.

use mcp_session::result::{RawResult, ResultOptions, convert};
use mcp_session::{ContentPart, ToolResult};
use serde_json::value::RawValue;

fn converted(json: &str, options: &ResultOptions) -> ToolResult {
    convert(RawResult::read(json), options)
}

/// The parts in short: a text as it is, an image as `<media type base64>`.
fn shown(result: &ToolResult) -> Vec<String> {
    let part = |part: &ContentPart| match part {
        ContentPart::Text { text } => text.clone(),
        ContentPart::Image { mime_type, data } => format!("<{mime_type} {data}>"),
        _ => unreachable!("a kind of part that this test does not know"),
    };
    result.content.iter().map(part).collect()
}

fn check(case: &str, json: &str, expected: &[&str]) {
    assert_eq!(
        shown(&converted(json, &ResultOptions::default())),
        expected,
        "{case}"
    );
}

/// One part in a list.
fn check_part(case: &str, part: &str, expected: &[&str]) {
    check(case, &format!(r#"{{"content":[{part}]}}"#), expected);
}

#[test]
fn structured_content_is_given_unless_a_text_already_is_that_json() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "res-01 alone",
            r#"{"content":[],"structuredContent":{"total":36}}"#,
            &[r#"{"total":36}"#],
        ),
        (
            "res-02 beside a summary",
            r#"{"content":[{"type":"text","text":"3 issues listed"}],"structuredContent":{"issues":[1,2,3]}}"#,
            &["3 issues listed", r#"{"issues":[1,2,3]}"#],
        ),
        (
            "res-03 the same",
            r#"{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}"#,
            &[r#"{"a":1}"#],
        ),
        (
            "res-03 other spacing and order",
            r#"{"content":[{"type":"text","text":"{ \"b\": [2],\n \"a\": 1.0 }"}],"structuredContent":{"a":1,"b":[2]}}"#,
            &["{ \"b\": [2],\n \"a\": 1.0 }"],
        ),
        (
            "the same in an embedded resource",
            r#"{"content":[{"type":"resource","resource":{"uri":"m://1","text":"[1, 2]"}}],"structuredContent":[1,2]}"#,
            &["resource m://1:\n[1, 2]"],
        ),
        (
            "a copy that rounds is no copy",
            r#"{"content":[{"type":"text","text":"{\"id\":9007199254740992}"}],"structuredContent":{"id":9007199254740993}}"#,
            &[r#"{"id":9007199254740992}"#, r#"{"id":9007199254740993}"#],
        ),
        (
            "sch-31 exact digits",
            r#"{"content":[],"structuredContent":{"id":9007199254740993,"max":18446744073709551615,"more":[1.10,1e400]}}"#,
            &[r#"{"id":9007199254740993,"max":18446744073709551615,"more":[1.10,1e400]}"#],
        ),
        (
            "any JSON value",
            r#"{"content":[],"structuredContent":"plain"}"#,
            &["\"plain\""],
        ),
        (
            "a number",
            r#"{"content":[],"structuredContent":0.10}"#,
            &["0.10"],
        ),
        (
            "null says nothing",
            r#"{"content":[{"type":"text","text":"x"}],"structuredContent":null}"#,
            &["x"],
        ),
        ("content left out", r#"{"structuredContent":[]}"#, &["[]"]),
    ];
    for (case, json, expected) in cases {
        check(case, json, expected);
    }
}

#[test]
fn odd_shapes_are_taken_and_nothing_is_lost_silently() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "res-04 an old wrapper",
            r#"{"toolResult":{"content":[{"type":"text","text":"x"}]}}"#,
            &[r#"{"toolResult":{"content":[{"type":"text","text":"x"}]}}"#],
        ),
        ("res-04 empty", "{}", &["(no output)"]),
        (
            "only what every result may have",
            r#"{"_meta":{"a":1},"isError":false,"resultType":"complete"}"#,
            &["(no output)"],
        ),
        (
            "a task instead of a result",
            r#"{"task":{"taskId":"t1","status":"working"},"_meta":{}}"#,
            &[r#"{"task":{"taskId":"t1","status":"working"},"_meta":{}}"#],
        ),
        (
            "an empty list beside the message",
            r#"{"content":[],"isError":true,"error":"disk full"}"#,
            &[r#"{"content":[],"isError":true,"error":"disk full"}"#],
        ),
        ("no object at all", "[1]", &["[1]"]),
        ("nothing at all", "", &["(no output)"]),
        ("white space", " \n", &["(no output)"]),
        ("white space before it", " {\"content\":\"x\"}", &["x"]),
        (
            "res-05 a string",
            r#"{"content":"Hello","isError":false}"#,
            &["Hello"],
        ),
        (
            "res-06 one object",
            r#"{"content":{"type":"text","text":"x"}}"#,
            &["x"],
        ),
        (
            "res-06 an object of no kind",
            r#"{"content":{"any":"payload"}}"#,
            &[r#"{"any":"payload"}"#],
        ),
        ("res-06 null", r#"{"content":null}"#, &["(no output)"]),
        ("a number", r#"{"content":42}"#, &["42"]),
        (
            "a member written twice",
            r#"{"content":[],"content":"last"}"#,
            &["last"],
        ),
    ];
    for (case, json, expected) in cases {
        check(case, json, expected);
    }
}

#[test]
fn odd_parts_are_told_by_their_place_and_kind() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "res-24 plain values in the list",
            r#"{"content":["plain",7,null,{"type":"text","text":"ok"},true,[1]]}"#,
            &[
                "plain",
                "[content part 1 is a number, not an object]",
                "[content part 2 is null, not an object]",
                "ok",
                "[content part 4 is a boolean, not an object]",
                "[content part 5 is an array, not an object]",
            ],
        ),
        (
            "an object of no kind in the list",
            r#"{"content":[{"rows":[1]}]}"#,
            &[r#"{"rows":[1]}"#],
        ),
        (
            "a text that is no string",
            r#"{"content":[{"type":"text","text":{"a":1}}]}"#,
            &[r#"{"a":1}"#],
        ),
        (
            "a text part without text",
            r#"{"content":[{"type":"text"}]}"#,
            &["[a text part without text]"],
        ),
        (
            "a kind that is no string",
            r#"{"content":[{"type":7,"text":"x"}]}"#,
            &[r#"{"type":7,"text":"x"}"#],
        ),
        (
            "a part with a member twice",
            r#"{"content":[{"type":"text","text":"a","text":"b"}]}"#,
            &["b"],
        ),
        (
            "escapes and control characters",
            r#"{"content":[{"type":"text","text":"a\u0000\n\ud83d\ude00"}]}"#,
            &["a\0\n😀"],
        ),
    ];
    for (case, json, expected) in cases {
        check(case, json, expected);
    }
}

#[test]
fn texts_that_say_nothing_are_left_out() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "an empty text",
            r#"{"content":[{"type":"text","text":""}]}"#,
            &["(no output)"],
        ),
        (
            "white space alone, which model providers refuse",
            r#"{"content":[{"type":"text","text":"\n \t"}]}"#,
            &["(no output)"],
        ),
        (
            "white space beside a text, which stays as it is",
            r#"{"content":[{"type":"text","text":" "},{"type":"text","text":" x\n"}]}"#,
            &[" x\n"],
        ),
        (
            "a null in the place of a text",
            r#"{"content":[{"type":"text","text":null}]}"#,
            &["[a text part without text]"],
        ),
    ];
    for (case, json, expected) in cases {
        check(case, json, expected);
    }
}

#[test]
fn every_kind_of_part_has_its_form() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "res-09 a link",
            r#"{"type":"resource_link","uri":"reports://q/1","title":"Q","description":"d","size":10}"#,
            &["resource link: reports://q/1 (10 bytes)\ntitle: Q\ndescription: d"],
        ),
        (
            "a link with all members",
            r#"{"type":"resource_link","uri":"f://a","name":"a","mimeType":"text/plain","size":2048}"#,
            &["resource link: f://a (text/plain, 2.0 KiB)\nname: a"],
        ),
        (
            "a link without a URI",
            r#"{"type":"resource_link","name":"a"}"#,
            &["resource link: without a URI\nname: a"],
        ),
        (
            "res-14 audio",
            r#"{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}"#,
            &["[audio: audio/wav, 4 bytes; not shown]"],
        ),
        (
            "audio without data",
            r#"{"type":"audio"}"#,
            &["[audio: unknown type, no data; not shown]"],
        ),
        (
            "an unknown kind",
            r#"{"type":"video","data":"AAAA"}"#,
            &["[content of the unknown type \"video\", 30 bytes]"],
        ),
    ];
    for (case, part, expected) in cases {
        check_part(case, part, expected);
    }
}

#[test]
fn embedded_resources_reach_the_model_with_their_uri() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "res-11 beside a status line",
            r#"{"type":"text","text":"downloaded (SHA: 0)"},{"type":"resource","resource":{"uri":"repo://d/a.txt","mimeType":"text/plain","text":"BODY"}}"#,
            &[
                "downloaded (SHA: 0)",
                "resource repo://d/a.txt (text/plain):\nBODY",
            ],
        ),
        (
            "res-12 text as a blob",
            r#"{"type":"resource","resource":{"uri":"f://a.cs","mimeType":"text/plain","blob":"Qk9EWQ=="}}"#,
            &["resource f://a.cs (text/plain):\nBODY"],
        ),
        (
            "JSON as a blob",
            r#"{"type":"resource","resource":{"uri":"f://a","mimeType":"application/vnd.x+json; charset=utf-8","blob":"e30"}}"#,
            &["resource f://a (application/vnd.x+json; charset=utf-8):\n{}"],
        ),
        (
            "textual by name and no UTF-8",
            r#"{"type":"resource","resource":{"uri":"f://a","mimeType":"text/plain","blob":"//79"}}"#,
            &["[resource f://a: text/plain, 3 bytes; not shown]"],
        ),
        (
            "an image as a blob",
            r#"{"type":"resource","resource":{"uri":"f://a","mimeType":"image/png","blob":"iVBORw0KGgo="}}"#,
            &["<image/png iVBORw0KGgo=>"],
        ),
        (
            "res-13 a PDF with a hostile name",
            r#"{"type":"resource","resource":{"uri":"x://../../etc/p","mimeType":"application/pdf","blob":"JVBERi0x"}}"#,
            &["[resource x://../../etc/p: application/pdf, 6 bytes; not shown]"],
        ),
        (
            "res-13 malformed base64",
            r#"{"type":"resource","resource":{"uri":"x://p","mimeType":"application/pdf","blob":"%%%"}}"#,
            &["[resource x://p: application/pdf, data that is no base64, 3 bytes; not shown]"],
        ),
    ];
    for (case, part, expected) in cases {
        check_part(case, part, expected);
    }
}

#[test]
fn odd_resources_give_what_they_have() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "no content",
            r#"{"type":"resource","resource":{"uri":"x://p"}}"#,
            &["resource x://p: [no content]"],
        ),
        (
            "no resource",
            r#"{"type":"resource"}"#,
            &["[an embedded resource that cannot be read]"],
        ),
        (
            "a text that is no string",
            r#"{"type":"resource","resource":{"uri":"x://p","text":{"a":1}}}"#,
            &["resource x://p:\n{\"a\":1}"],
        ),
        (
            "a null beside the blob",
            r#"{"type":"resource","resource":{"uri":"x://p","mimeType":"text/plain","text":null,"blob":"Qk9EWQ"}}"#,
            &["resource x://p (text/plain):\nBODY"],
        ),
        (
            "an empty text beside the blob",
            r#"{"type":"resource","resource":{"uri":"x://p","mimeType":"text/plain","text":"","blob":"Qk9EWQ"}}"#,
            &["resource x://p (text/plain):\nBODY"],
        ),
        (
            "an empty blob beside the text",
            r#"{"type":"resource","resource":{"uri":"x://p","text":"BODY","blob":""}}"#,
            &["resource x://p:\nBODY"],
        ),
        (
            "an empty file",
            r#"{"type":"resource","resource":{"uri":"x://p","text":"","blob":""}}"#,
            &["resource x://p:\n"],
        ),
        (
            "nulls alone",
            r#"{"type":"resource","resource":{"uri":"x://p","text":null,"blob":null}}"#,
            &["resource x://p: [no content]"],
        ),
        (
            "a resource written straight into the part",
            r#"{"type":"resource","uri":"x://p","mimeType":"text/plain","text":"BODY"}"#,
            &["resource x://p (text/plain):\nBODY"],
        ),
        (
            "a resource that is no object",
            r#"{"type":"resource","resource":"x"}"#,
            &["[an embedded resource that cannot be read]"],
        ),
    ];
    for (case, part, expected) in cases {
        check_part(case, part, expected);
    }
}

#[test]
fn base64_of_a_part_without_a_kind_is_never_text() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "an embedded blob",
            r#"{"resource":{"uri":"x://p","mimeType":"application/zip","blob":"UEsDBA=="}}"#,
            &["[resource x://p: application/zip, 4 bytes; not shown]"],
        ),
        (
            "the contents of a resource",
            r#"{"uri":"x://p","mimeType":"text/plain","blob":"Qk9EWQ=="}"#,
            &["resource x://p (text/plain):\nBODY"],
        ),
        (
            "an object of another kind",
            r#"{"resource":{"name":"db","blob":"cold"}}"#,
            &[r#"{"resource":{"name":"db","blob":"cold"}}"#],
        ),
    ];
    for (case, part, expected) in cases {
        check_part(case, part, expected);
    }
}

#[test]
fn errors_carry_their_content_like_successes() {
    let json = r#"{"isError":true,"content":[{"type":"resource","resource":{"uri":"r://1","text":"BODY"}}],"structuredContent":{"a":1}}"#;
    let result = converted(json, &ResultOptions::default());
    assert!(result.is_error);
    assert_eq!(shown(&result), ["resource r://1:\nBODY", r#"{"a":1}"#]);
    assert_eq!(result.failure, None);
    let silent = converted(
        r#"{"isError":true,"content":[]}"#,
        &ResultOptions::default(),
    );
    assert_eq!(shown(&silent), ["(the tool failed and gave no message)"]);
    for (written, is_error) in [
        (r#""true""#, true),
        ("1", true),
        ("0", false),
        ("null", false),
    ] {
        let json = format!(r#"{{"isError":{written},"content":"x"}}"#);
        assert_eq!(
            converted(&json, &ResultOptions::default()).is_error,
            is_error,
            "{written}"
        );
    }
}

#[test]
fn data_that_structured_content_repeats_is_given_once() {
    let (data, pdf) = ("iVBORw0KGgo=", "JVBERi0xLjcK");
    let image = |annotations: &str| {
        format!(r#"{{"type":"image","data":"{data}","mimeType":"image/png"{annotations}}}"#)
    };
    let (shown, left_out) = (
        format!("<image/png {data}>"),
        "[the data of a content part]",
    );
    let plain = image("");
    let cases = [
        // A list of parts that a server gives as its structured content too.
        (
            plain.clone(),
            format!(r#"{{"result":[{plain}]}}"#),
            vec![
                shown.clone(),
                format!(
                    r#"{{"result":[{{"type":"image","data":"{left_out}","mimeType":"image/png"}}]}}"#
                ),
            ],
        ),
        (
            plain,
            format!(r#"{{"file":"a.png","preview":"data:image/png;base64,{data}"}}"#),
            vec![
                shown,
                format!(r#"{{"file":"a.png","preview":"data:image/png;base64,{left_out}"}}"#),
            ],
        ),
        (
            image(r#","annotations":{"audience":["user"]}"#),
            format!(r#"{{"image":"{data}"}}"#),
            vec![format!(r#"{{"image":"{left_out}"}}"#)],
        ),
        (
            format!(
                r#"{{"type":"resource","resource":{{"uri":"x://p","mimeType":"application/pdf","blob":"{pdf}"}}}}"#
            ),
            format!(r#"{{"pdf":"{pdf}"}}"#),
            vec![
                "[resource x://p: application/pdf, 9 bytes; not shown]".to_owned(),
                format!(r#"{{"pdf":"{left_out}"}}"#),
            ],
        ),
    ];
    for (part, structured, expected) in cases {
        let json = format!(r#"{{"content":[{part}],"structuredContent":{structured}}}"#);
        let copy = serde_json::Value::from(structured.as_str());
        let copied = format!(
            r#"{{"content":[{part},{{"type":"text","text":{copy}}}],"structuredContent":{structured}}}"#
        );
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check("repeated", &json, &expected);
        check("repeated as text too", &copied, &expected);
        let raw = converted(&json, &ResultOptions::default()).structured;
        assert_eq!(
            raw.as_deref().map(RawValue::get),
            Some(&*structured),
            "the host has it whole"
        );
    }
}

#[test]
fn what_only_looks_like_the_data_of_a_part_stays() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "a text of its own, as the answer of a tool that encodes",
            r#"{"content":[{"type":"text","text":"aGVsbG8gd29ybGQ="},{"type":"resource","resource":{"uri":"x://p","mimeType":"text/plain","blob":"aGVsbG8gd29ybGQ="}}]}"#,
            &[
                "aGVsbG8gd29ybGQ=",
                "resource x://p (text/plain):\nhello world",
            ],
        ),
        (
            "an object of no kind",
            r#"{"content":[{"data":"abcdefghijkl"}]}"#,
            &[r#"{"data":"abcdefghijkl"}"#],
        ),
        (
            "an address in the place of data",
            r#"{"content":[{"type":"image","data":"https://h.invalid/a.png"}],"structuredContent":{"at":"https://h.invalid/a.png"}}"#,
            &[
                "[image: unknown type, data that is no base64, 23 bytes; not shown]",
                r#"{"at":"https://h.invalid/a.png"}"#,
            ],
        ),
    ];
    for (case, json, expected) in cases {
        check(case, json, expected);
    }
}

#[test]
fn an_image_is_what_its_first_bytes_say() {
    let jpeg = "/9j/4AAQ";
    let cases: &[(&str, String, String)] = &[
        (
            "res-15 a JPEG called PNG",
            image("image/png", jpeg),
            format!("<image/jpeg {jpeg}>"),
        ),
        (
            "a PNG",
            image("image/png", "iVBORw0KGgo="),
            "<image/png iVBORw0KGgo=>".to_owned(),
        ),
        (
            "a GIF",
            image("", "R0lGODlh"),
            "<image/gif R0lGODlh>".to_owned(),
        ),
        (
            "a WebP",
            image("image/webp", "UklGRgAAAABXRUJQ"),
            "<image/webp UklGRgAAAABXRUJQ>".to_owned(),
        ),
        (
            "res-15 SVG",
            image("image/svg+xml", "PHN2Zy8+"),
            "[image: image/svg+xml, 6 bytes; not shown]".to_owned(),
        ),
        (
            "res-15 empty",
            image("image/png", ""),
            "[image: image/png, no data; not shown]".to_owned(),
        ),
        (
            "no base64",
            image("image/png", "<svg>"),
            "[image: image/png, data that is no base64, 5 bytes; not shown]".to_owned(),
        ),
    ];
    for (case, part, expected) in cases {
        check_part(case, part, &[expected]);
    }
}

#[test]
fn base64_is_taken_in_every_common_form() {
    let jpeg = "/9j/4AAQ";
    let cases: &[(&str, String, String)] = &[
        (
            "res-18 without padding",
            image("image/png", "iVBORw0KGgo"),
            "<image/png iVBORw0KGgo=>".to_owned(),
        ),
        (
            "res-18 URL-safe",
            image("image/jpeg", "_9j_4AAQ"),
            format!("<image/jpeg {jpeg}>"),
        ),
        (
            "line breaks",
            image("image/jpeg", r"/9j/\n4AAQ\n"),
            format!("<image/jpeg {jpeg}>"),
        ),
        (
            "a data URL",
            image("image/jpeg", &format!("data:image/png;base64,{jpeg}")),
            format!("<image/jpeg {jpeg}>"),
        ),
        (
            "no kind, but media",
            format!(r#"{{"mimeType":"image/png","data":"{jpeg}"}}"#),
            format!("<image/jpeg {jpeg}>"),
        ),
        (
            "broken after a good start",
            image("image/jpeg", &format!("{}%", jpeg.repeat(20))),
            "[image: image/jpeg, 120 bytes; not shown]".to_owned(),
        ),
    ];
    for (case, part, expected) in cases {
        check_part(case, part, &[expected]);
    }
}

#[test]
fn a_line_break_in_the_first_bytes_hides_no_image() {
    let data = format!("iVBO\\nRw0KGgo{}", "A".repeat(100));
    let expected = format!("<image/png iVBORw0KGgo{}=>", "A".repeat(100));
    check_part("wrapped", &image("image/png", &data), &[&expected]);
}

#[test]
fn a_text_that_was_cut_within_a_character_is_still_a_text() {
    check_part(
        "part",
        r#"{"type":"text","text":"cut \ud83d"}"#,
        &["cut \u{fffd}"],
    );
    check("content", r#"{"content":"cut \ud83d"}"#, &["cut \u{fffd}"]);
    let resource = r#"{"type":"resource","resource":{"uri":"f://a","text":"\ude00 cut"}}"#;
    check_part("resource", resource, &["resource f://a:\n\u{fffd} cut"]);
}

fn image(mime_type: &str, data: &str) -> String {
    format!(r#"{{"type":"image","mimeType":"{mime_type}","data":"{data}"}}"#)
}

#[test]
fn a_model_without_images_gets_a_note_and_never_base64() {
    // res-16
    let data = format!("iVBORw0KGgo{}", "A".repeat(200 * 1024 + 1));
    let json = format!(r#"{{"content":[{}]}}"#, image("image/png", &data));
    let result = converted(&json, &ResultOptions { images: false });
    assert_eq!(shown(&result), ["[image: image/png, 150.0 KiB; not shown]"]);
    let json = r#"{"content":[{"type":"resource","resource":{"uri":"f://a","mimeType":"image/png","blob":"iVBORw0KGgo="}}]}"#;
    let result = converted(json, &ResultOptions { images: false });
    assert_eq!(
        shown(&result),
        ["[resource f://a: image/png, 8 bytes; not shown]"]
    );
}

#[test]
fn large_media_is_measured_without_decoding() {
    // res-13, res-18
    let data = "A".repeat(16 << 20);
    let json =
        format!(r#"{{"content":[{{"type":"audio","mimeType":"audio/wav","data":"{data}"}}]}}"#);
    let result = converted(&json, &ResultOptions::default());
    assert_eq!(shown(&result), ["[audio: audio/wav, 12.0 MiB; not shown]"]);
    assert_eq!(result.len(), shown(&result)[0].len());
}

#[test]
fn what_is_meant_for_the_user_alone_is_withheld() {
    // res-21
    let part = |text: &str, audience: &str| {
        format!(r#"{{"type":"text","text":"{text}","annotations":{{"audience":{audience}}}}}"#)
    };
    let (a, b) = (part("A", r#"["user"]"#), r#"{"type":"text","text":"B"}"#);
    let c = part("C", r#"["assistant"]"#);
    check_part("some for the user", &format!("{a},{b},{c}"), &["B", "C"]);
    check_part(
        "all for the user",
        &format!("{a},{a}"),
        &["(the output is meant for the user alone)"],
    );
    check_part("for both", &part("A", r#"["user","assistant"]"#), &["A"]);
    for malformed in [r#""user""#, r#"["user",7]"#, "[]", "null", r#"["someone"]"#] {
        check_part(malformed, &part("A", malformed), &["A"]);
    }
    for annotations in ["[1]", r#"[["user"]]"#, r#""user""#] {
        let part = format!(r#"{{"type":"text","text":"A","annotations":{annotations}}}"#);
        check_part(annotations, &part, &["A"]);
    }
}

#[test]
fn an_embedded_resource_may_name_its_audience_itself() {
    // res-21, as in the specification's example of an embedded resource.
    let resource = |outer: &str, inner: &str| {
        format!(
            r#"{{"type":"resource","annotations":{outer},"resource":{{"uri":"r://1","text":"A","annotations":{inner}}}}}"#
        )
    };
    let (user, both) = (
        r#"{"audience":["user"]}"#,
        r#"{"audience":["user","assistant"]}"#,
    );
    let withheld = ["(the output is meant for the user alone)"];
    let given = ["resource r://1:\nA"];
    check_part("the part says so", &resource(user, "null"), &withheld);
    check_part("its resource says so", &resource("null", user), &withheld);
    check_part("the part decides", &resource(both, user), &given);
    check_part("neither says so", &resource("[]", both), &given);
}

#[test]
fn the_order_of_the_server_stays() {
    let parts = r#"{"type":"text","text":"1"},{"type":"audio","data":"AAAA","mimeType":"audio/mp3"},{"type":"text","text":"3"}"#;
    check_part(
        "mixed",
        parts,
        &["1", "[audio: audio/mp3, 3 bytes; not shown]", "3"],
    );
}

#[test]
fn more_parts_than_anybody_takes_are_counted_instead() {
    let parts = |count: usize| format!(r#"{{"content":[{}]}}"#, vec![r#""x""#; count].join(","));
    let whole = converted(&parts(10_000), &ResultOptions::default());
    assert_eq!(whole.content.len(), 10_000);
    let cut = shown(&converted(&parts(10_003), &ResultOptions::default()));
    assert_eq!(cut.len(), 10_001);
    assert_eq!(cut[10_000], "[3 more content parts are left out]");
}

#[test]
fn many_texts_beside_large_structured_content_are_compared_in_a_moment() {
    // Each text is JSON of the same kind: reading the structured content again for each would take hours.
    let text = r#"{"type":"text","text":"[]"}"#;
    let content = vec![text; 10_000].join(",");
    let structured = format!("[{}]", vec!["1"; 500_000].join(","));
    let result = converted(
        &format!(r#"{{"content":[{content}],"structuredContent":{structured}}}"#),
        &ResultOptions::default(),
    );
    assert_eq!(result.content.len(), 10_001);
}

#[test]
fn very_large_structured_content_is_compared_by_its_bytes() {
    let large = format!("[{}]", vec!["1"; 600_000].join(","));
    let with = |text: &str| {
        format!(r#"{{"content":[{{"type":"text","text":"{text}"}}],"structuredContent":{large}}}"#)
    };
    let parts = |json: &str| converted(json, &ResultOptions::default()).content.len();
    assert_eq!(parts(&with(&large)), 1);
    assert_eq!(parts(&with(&large.replacen(',', ", ", 1))), 2);
}
