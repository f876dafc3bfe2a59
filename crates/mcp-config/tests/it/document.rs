//! The document reader: what it accepts, positions, duplicates, limits, numbers.

use mcp_config::document::{self, Document, Kind, MAX_DEPTH, MAX_VALUES, Node, Value};
use proptest::prelude::*;

fn read(text: &str) -> Document {
    let parsed = document::parse("t.json5", text.as_bytes());
    assert!(parsed.problems.is_empty(), "{text}: {:?}", parsed.problems);
    parsed.document.unwrap()
}

fn refusal(bytes: &[u8]) -> (u32, u32, String) {
    let parsed = document::parse("t.json5", bytes);
    assert!(parsed.document.is_none());
    let [problem] = parsed.problems.as_slice() else {
        panic!("{:?}", parsed.problems)
    };
    let message = problem.message().to_owned();
    (problem.line().unwrap(), problem.column().unwrap(), message)
}

#[test]
fn json5_is_read_as_json() {
    for (text, json) in [
        ("{}", "{}"),
        (
            "[1, 'a', \"b\", true, false, null,]",
            r#"[1,"a","b",true,false,null]"#,
        ),
        (
            "{a: 1, $b_2: 2, 'c d': 3, \"e\": 4, ünï: 5, \\u0061b: 6}",
            r#"{"a":1,"$b_2":2,"c d":3,"e":4,"ünï":5,"ab":6}"#,
        ),
        (
            "'it\\'s \\x41 \\u00e9 \\uD83D\\uDE00 \\\n joined \\q'",
            "\"it's A é 😀  joined q\"",
        ),
        (
            "[+1, -2, .5, 5., -0x1F, 1e3, 1E-2, 0]",
            "[1,-2,0.5,5,-31,1e3,1E-2,0]",
        ),
        ("[Infinity, -Infinity, NaN]", "[null,null,null]"),
        ("/**/ 1 // end", "1"),
        ("\u{feff}\u{a0}\u{2003}true\u{2028}", "true"),
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
        (
            "{\"z\": 1, \"a\": {\"y\": [], \"b\": {}}}",
            r#"{"z":1,"a":{"y":[],"b":{}}}"#,
        ),
    ] {
        assert_eq!(read(text).root().to_json(), json, "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, line, column, message) in [
        ("", 1, 1, "the text holds no value"),
        ("// only a comment\n", 2, 1, "the text holds no value"),
        (
            "{\"a\" 1}",
            1,
            6,
            "expected `:` after the member name, found `1`",
        ),
        (
            "{\"a\": 1 \"b\": 2}",
            1,
            9,
            "expected `,` or `}`, found a string",
        ),
        ("{\"a\": [1 2]}", 1, 10, "expected `,` or `]`, found `2`"),
        ("[1}", 1, 3, "expected `,` or `]`, found `}`"),
        (
            "{\"a\": 1,, }",
            1,
            9,
            "expected a member name or `}`, found `,`",
        ),
        ("[,]", 1, 2, "expected a value or `]`, found `,`"),
        ("{\n  \"a\": {", 2, 9, "the text ends inside an object"),
        ("[1, [2]", 1, 8, "the text ends inside an array"),
        (
            "{\"a\": \"b\n\"}",
            1,
            7,
            "this string is not closed on its line",
        ),
        ("{\"a\": 'b", 1, 7, "this string is not closed on its line"),
        ("{} /* x", 1, 4, "this comment is not closed"),
        ("{\"a\": True}", 1, 7, "`True` is not a value here"),
        (
            "{\"a\": “b”}",
            1,
            7,
            "typographic quotes do not make a string",
        ),
        ("{\"a\": 012}", 1, 7, "invalid number: a leading zero"),
        ("{\"a\": 0xG}", 1, 9, "invalid number"),
        ("{\"a\": 1.2.3}", 1, 7, "invalid number"),
        (
            "{\"é\": \"C:\\users\"}",
            1,
            10,
            "invalid string: invalid escape sequence",
        ),
        (
            "{\"a\": \"\\ud800\"}",
            1,
            14,
            "invalid string: invalid escape sequence",
        ),
        ("{“a”: 1}", 1, 2, "typographic quotes do not make a string"),
        ("{\n# note\n}", 2, 1, "`#` does not begin a comment"),
        (
            "{\n<<<<<<< HEAD\n}",
            2,
            1,
            "this is a mark of a merge conflict",
        ),
        ("{\"a\": `b`}", 1, 7, "backquotes do not make a string"),
        (
            "{a-b: 1}",
            1,
            2,
            "a name with these characters needs quotes",
        ),
        ("{1: 1}", 1, 2, "a name with these characters needs quotes"),
        ("1 2", 1, 3, "the document ended on line 1, but `2` follows"),
        ("/", 1, 1, "expected a value, found `/`"),
        ("{\"a\": \0}", 1, 7, "the file contains a NUL byte"),
    ] {
        let (at_line, at_column, found) = refusal(text.as_bytes());
        assert_eq!(
            (at_line, at_column, found.as_str()),
            (line, column, message),
            "{text:?}"
        );
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_refused_with_their_place() {
    assert_eq!(
        refusal(b"{\n \"a\": \"\xff\"}"),
        (2, 8, "the byte 0xff is not UTF-8 here".to_owned())
    );
    assert_eq!(
        refusal(b"\xff\xfe{\0}\0"),
        (1, 1, "the file is saved as UTF-16".to_owned())
    );
    assert_eq!(
        refusal("{\"é\": \"".as_bytes().split_last().unwrap().1).0,
        1
    );
}

#[test]
fn each_value_and_name_knows_where_it_stands() {
    let document = read("{\n  é: [1, {\"b\": 'x'}],\n\t\"c\": true }");
    let root = document.root();
    let place = |node: &Node| (node.position().line, node.position().column);
    let members = root.as_object().unwrap().members();
    assert_eq!(
        (
            members[0].key_position().line,
            members[0].key_position().column
        ),
        (2, 3)
    );
    let items = root.get("é").unwrap().as_array().unwrap();
    assert_eq!((place(&items[0]), place(&items[1])), ((2, 7), (2, 10)));
    assert_eq!(place(items[1].get("b").unwrap()), (2, 16));
    assert_eq!(place(root.get("c").unwrap()), (3, 7));
    assert_eq!(items[1].kind(), Kind::Object);
    assert_eq!(items[1].kind().to_string(), "an object");
}

#[test]
fn of_duplicate_members_the_first_holds_and_each_other_is_an_error() {
    let parsed = document::parse(
        "t",
        b"{\"a\": 1, \"b\": {\"c\": 1, 'c': 2}, a: 2, \"\\u0061\": 3}",
    );
    assert_eq!(
        parsed.document.unwrap().root().to_json(),
        r#"{"a":1,"b":{"c":1}}"#
    );
    let found: Vec<_> = parsed
        .problems
        .iter()
        .map(|problem| (problem.column().unwrap(), problem.path().unwrap()))
        .collect();
    assert_eq!(found, [(24, "b.c"), (33, "a"), (39, "a")]);
    assert!(parsed.problems[0].is_error());
    assert_eq!(
        parsed.problems[1].help(),
        Some("it is already on line 1, column 2: remove one of them")
    );
}

#[test]
fn depth_is_counted_on_the_text() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(
        document::parse("t", nested(MAX_DEPTH).as_bytes())
            .document
            .is_some()
    );
    let (line, column, message) = refusal(nested(MAX_DEPTH + 1).as_bytes());
    assert_eq!((line, column), (1, 129));
    assert_eq!(message, "nested more than 128 levels deep");
    refusal("[".repeat(1_000_000).as_bytes());
    refusal("{a:".repeat(1_000_000).as_bytes());
}

#[test]
fn the_number_of_values_is_limited() {
    let many = format!("[{}]", "0,".repeat(MAX_VALUES));
    assert_eq!(
        refusal(many.as_bytes()).2,
        "more than 1000000 values in one document"
    );
}

#[test]
fn numbers_keep_their_text_and_whole_ones_are_exact() {
    for (text, unsigned, signed) in [
        ("18446744073709551615", Some(u64::MAX), None),
        ("18446744073709551616", None, None),
        ("-9223372036854775808", None, Some(i64::MIN)),
        ("1e3", Some(1000), Some(1000)),
        ("5.0", Some(5), Some(5)),
        ("5.5", None, None),
        ("0xff", Some(255), Some(255)),
        ("-0", Some(0), Some(0)),
        ("Infinity", None, None),
        ("1e30", None, None),
    ] {
        let document = read(text);
        let root = document.root();
        assert_eq!(root.as_number().unwrap().text(), text);
        assert_eq!((root.as_u64(), root.as_i64()), (unsigned, signed), "{text}");
    }
}

#[test]
fn debug_shows_the_structure_without_texts() {
    let document = read("{key: ['sk-planted', 123456789, null]}");
    let shown = format!("{:?} {:?}", document, document.root());
    assert!(
        shown.contains("key") && !shown.contains("planted") && !shown.contains("123456789"),
        "{shown}"
    );
}

/// Texts made of the pieces that JSON5 is made of, mostly broken.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "'",
        "\\",
        "/",
        "//",
        "/*",
        "*/",
        "\n",
        "\r\n",
        " ",
        "a",
        "b1",
        "$x",
        "null",
        "true",
        "Infinity",
        "-",
        "+",
        "0",
        "1",
        "0x1f",
        ".5",
        "1e3",
        "\"s\"",
        "'t'",
        "\\u0061",
        "\\x41",
        "é",
        "\u{2028}",
        "\u{feff}",
        "{a:1}",
        "[1,]",
        "{\"a\":{}}",
        "// c\n",
        "/* c */",
        "\u{200c}",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The light scanner and the json5 crate agree on what is a document and on what it says.
    #[test]
    fn it_agrees_with_the_json5_crate(text in pieces()) {
        let ours = document::parse("t", text.as_bytes());
        let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let theirs = json5::from_str::<serde_json::Value>(bare);
        prop_assert_eq!(ours.document.is_some(), theirs.is_ok(), "{:?}: {:?} {:?}", text, ours.problems, theirs);
        if let (Some(document), Ok(value), true) = (ours.document, theirs, ours.problems.is_empty()) {
            let again: serde_json::Value = serde_json::from_str(&document.root().to_json()).unwrap();
            prop_assert_eq!(as_floats(&again), as_floats(&value));
        }
    }

    /// A tree survives being written and read.
    #[test]
    fn compact_json_reads_as_the_same_tree(text in pieces()) {
        if let Some(document) = document::parse("t", text.as_bytes()).document {
            let json = document.root().to_json();
            prop_assert_eq!(read(&json).root().to_json(), json);
        }
    }

    /// Positions point at the text of the value.
    #[test]
    fn positions_point_into_the_text(text in pieces()) {
        if let Some(document) = document::parse("t", text.as_bytes()).document {
            let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
            check_places(bare, document.root());
        }
    }
}

/// Numbers as floats, since the two ways of reading differ in what they call an integer.
fn as_floats(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Number(number) => number.as_f64().into(),
        serde_json::Value::Array(items) => items.iter().map(as_floats).collect(),
        serde_json::Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), as_floats(value)))
            .collect(),
        other => other.clone(),
    }
}

fn check_places(text: &str, node: &Node) {
    let before = &text[..node.span().range().start];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
    assert_eq!(
        (
            node.position().line as usize,
            node.position().column as usize
        ),
        (line, column),
        "{text:?}"
    );
    match node.value() {
        Value::Array(items) => items.iter().for_each(|item| check_places(text, item)),
        Value::Object(object) => object
            .members()
            .iter()
            .for_each(|member| check_places(text, member.value())),
        Value::Number(number) => assert_eq!(number.text(), &text[node.span().range()]),
        _ => {}
    }
}
