//! Schemas and arguments that are made to cost as much as possible come back, each on a thread with
//! a stack of 2 MiB.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "tests fail by panicking, and say what took how long"
)]

#[path = "support/text.rs"]
mod text;

use std::io::ErrorKind;
use std::net::TcpListener;
use std::time::Instant;

use mcp_schema::Coverage;

use text::{raw, schema};

/// What became of one hostile pair.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    coverage: Coverage,
    sent: bool,
    noted: bool,
}

fn run(name: &'static str, schema_text: String, arguments: String) -> Outcome {
    let work = move || {
        let started = Instant::now();
        let schema = schema(&schema_text);
        let _ = schema.withheld();
        let coverage = schema.coverage();
        let compiled = started.elapsed();
        let result = schema.prepare(Some(&arguments));
        let noted = match &result {
            Ok(sent) => !sent.notes().is_empty(),
            Err(violations) => {
                assert!(
                    violations.to_string().len() < 10_000,
                    "{name}: the message is bounded"
                );
                !violations.notes().is_empty()
            }
        };
        let _ = schema.check(&raw("{}"));
        println!(
            "{name}: {coverage}, compiled in {compiled:?}, all in {:?}",
            started.elapsed()
        );
        for note in schema.notes().iter().take(2) {
            println!("    {note}");
        }
        Outcome {
            coverage,
            sent: result.is_ok(),
            noted,
        }
    };
    let thread = std::thread::Builder::new()
        .stack_size(2 * 1024 * 1024)
        .spawn(work);
    thread
        .expect("a thread")
        .join()
        .expect("no overflow and no panic")
}

fn nested(depth: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

fn check(name: &'static str, schema: String, arguments: &str, expected: (Coverage, bool)) {
    let outcome = run(name, schema, arguments.to_owned());
    assert_eq!((outcome.coverage, outcome.sent), expected, "{name}");
}

#[test]
fn deep_schemas_are_compiled_up_to_the_limit_and_noted_beyond() {
    let deep = |depth| nested(depth, r#"{"items":"#, "{}", "}");
    check("items x 200", deep(200), "{}", (Coverage::Full, true));
    check("items x 255", deep(255), "{}", (Coverage::Full, true));
    check("items x 300", deep(300), "{}", (Coverage::None, true));
    check(
        "items x 100,000",
        deep(100_000),
        "{}",
        (Coverage::None, true),
    );
    let all_of = nested(120, r#"{"allOf":["#, r#"{"type":"object"}"#, "]}");
    check("allOf x 120", all_of, "{}", (Coverage::Full, true));
    let not = nested(254, r#"{"not":"#, "{}", "}");
    check("not x 254", not, "{}", (Coverage::Full, true));
    let conditions = nested(120, r#"{"if":{},"then":"#, "{}", "}");
    check("if x 120", conditions, "{}", (Coverage::Full, true));
    let keys = nested(
        120,
        r#"{"patternProperties":{"a":"#,
        "{}",
        r#"},"additionalProperties":false}"#,
    );
    check(
        "patternProperties x 120",
        keys,
        r#"{"a":{"a":{}}}"#,
        (Coverage::Full, true),
    );
    let open = nested(
        120,
        r#"{"allOf":["#,
        "{}",
        r#"],"unevaluatedProperties":false}"#,
    );
    check(
        "unevaluatedProperties x 120",
        open,
        "{}",
        (Coverage::None, true),
    );
}

#[test]
fn deep_arguments_are_refused_and_deep_values_noted() {
    let any = r#"{"type":"object"}"#.to_owned();
    let deep = |depth| nested(depth, r#"{"a":"#, "1", "}");
    check(
        "arguments x 256",
        any.clone(),
        &deep(256),
        (Coverage::Full, true),
    );
    check(
        "arguments x 257",
        any.clone(),
        &deep(257),
        (Coverage::Full, false),
    );
    check(
        "arguments x 1,000,000",
        any.clone(),
        &deep(1_000_000),
        (Coverage::Full, false),
    );
    let list = nested(500_000, "[", "", "]");
    check(
        "lists x 500,000",
        any,
        &format!(r#"{{"a":{list}}}"#),
        (Coverage::Full, false),
    );
    let value = raw(&nested(100_000, "[", "", "]"));
    let checked = schema(r#"{"type":"array"}"#)
        .check(&value)
        .expect("it is not judged");
    assert_eq!(checked.notes().len(), 1);
}

#[test]
fn recursive_schemas_meet_deep_arguments() {
    let tree = r##"{"type":"object","properties":{"a":{"$ref":"#"},"v":{"type":"string"}}}"##;
    let deep = |leaf: &str| nested(250, r#"{"v":"x","a":"#, leaf, "}");
    check(
        "recursion x 250",
        tree.to_owned(),
        &deep("{}"),
        (Coverage::Full, true),
    );
    check(
        "wrong at the end",
        tree.to_owned(),
        &deep("1"),
        (Coverage::Full, false),
    );
    check(
        "null at the end",
        tree.to_owned(),
        &deep(r#"{"v":null}"#),
        (Coverage::Full, true),
    );
    let branches = r##"{"$defs":{"n":{"anyOf":[{"type":"string"},
        {"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"z":{"type":"string"}}},
        {"type":"array","items":{"$ref":"#/$defs/n"}}]}},
        "type":"object","properties":{"a":{"$ref":"#/$defs/n"}}}"##;
    check(
        "recursion in branches",
        branches.to_owned(),
        &deep(r#""x""#),
        (Coverage::Full, true),
    );
    check(
        "wrong in branches",
        branches.to_owned(),
        &deep("1"),
        (Coverage::Full, false),
    );
    check(
        "null in branches",
        branches.to_owned(),
        &deep(r#"{"z":null}"#),
        (Coverage::Full, true),
    );
}

/// Every branch may go on, but a value names the one that does: the cost is that of the value.
#[test]
fn a_recursive_grammar_takes_deep_and_large_expressions() {
    let expression = r##"{"$defs":{"e":{"oneOf":[
        {"type":"object","required":["and"],"properties":{"and":{"type":"array","items":{"$ref":"#/$defs/e"}}}},
        {"type":"object","required":["or"],"properties":{"or":{"type":"array","items":{"$ref":"#/$defs/e"}}}},
        {"type":"object","required":["not"],"properties":{"not":{"$ref":"#/$defs/e"}}},
        {"type":"object","required":["field"],"properties":{"field":{"type":"string"},"text":{"type":"string"}}}
        ]}},"type":"object","properties":{"filter":{"$ref":"#/$defs/e"}}}"##;
    let nested = |leaf: &str| {
        let deep = nested(
            40,
            r#"{"and":[{"field":"a"},{"or":["#,
            leaf,
            r#",{"not":{"field":"b"}}]}]}"#,
        );
        format!(r#"{{"filter":{deep}}}"#)
    };
    check(
        "a grammar",
        expression.to_owned(),
        &nested(r#"{"field":"z"}"#),
        (Coverage::Full, true),
    );
    check(
        "a wrong leaf",
        expression.to_owned(),
        &nested(r#"{"field":1}"#),
        (Coverage::Full, false),
    );
    let null = nested(r#"{"field":"z","text":null}"#);
    check(
        "a null leaf",
        expression.to_owned(),
        &null,
        (Coverage::Full, true),
    );
}

/// Whatever is left out, or explained, must not take a multiple of the value for each level.
#[test]
fn large_and_deep_arguments_of_many_branches_come_back() {
    let branches = r##"{"$defs":{"n":{"anyOf":[{"type":"string"},{"type":"integer"},
        {"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"z":{"type":"string"}}}]}},
        "type":"object","properties":{"a":{"$ref":"#/$defs/n"}}}"##;
    let load = vec!["true"; 20_000].join(",");
    let deep = nested(
        200,
        r#"{"a":"#,
        &format!(r#"{{"z":null,"a":[{load}]}}"#),
        "}",
    );
    check(
        "a load at the end",
        branches.to_owned(),
        &deep,
        (Coverage::Full, false),
    );
    let conditions: Vec<String> = (0..300)
        .map(|at| format!(r#"{{"if":{{"required":["k{at}"]}},"then":{{"properties":{{"x":{{"type":"string"}}}}}}}}"#))
        .collect();
    let conditions = format!(
        r#"{{"type":"object","properties":{{"l":{{"items":{{"allOf":[{}]}}}}}}}}"#,
        conditions.join(",")
    );
    let items = vec![r#"{"x":null,"k7":1}"#; 200].join(",");
    check(
        "300 conditions",
        conditions,
        &format!(r#"{{"l":[{items}]}}"#),
        (Coverage::Full, false),
    );
}

#[test]
fn towers_of_references_are_bounded_by_their_static_cost() {
    let tower = |height: usize, keyword: &str| {
        let floors: Vec<String> = (0..height)
            .map(|floor| {
                let up = format!(r##"{{"$ref":"#/$defs/f{}"}}"##, floor + 1);
                format!(r#""f{floor}":{{"{keyword}":[{up},{up}]}}"#)
            })
            .collect();
        format!(
            r##"{{"$ref":"#/$defs/f0","$defs":{{{},"f{height}":{{"type":"object"}}}}}}"##,
            floors.join(",")
        )
    };
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let low = if keyword == "oneOf" {
            (Coverage::Full, false)
        } else {
            (Coverage::Full, true)
        };
        check("a tower of 5", tower(5, keyword), "{}", low);
        check(
            "a tower of 40",
            tower(40, keyword),
            "{}",
            (Coverage::None, true),
        );
        check(
            "a tower of 2,000",
            tower(2_000, keyword),
            "{}",
            (Coverage::None, true),
        );
    }
}

#[test]
fn chains_of_references_are_bounded_by_the_stack_that_they_need() {
    let chain = |length: usize| {
        let links: Vec<String> = (0..length)
            .map(|link| format!(r##""l{link}":{{"$ref":"#/$defs/l{}"}}"##, link + 1))
            .collect();
        format!(
            r##"{{"$ref":"#/$defs/l0","$defs":{{{},"l{length}":{{"type":"object"}}}}}}"##,
            links.join(",")
        )
    };
    check("a chain of 500", chain(500), "{}", (Coverage::Full, true));
    check(
        "a chain of 4,000",
        chain(4_000),
        "{}",
        (Coverage::Full, true),
    );
    check(
        "a chain of 40,000",
        chain(40_000),
        "{}",
        (Coverage::None, true),
    );
    let doubling =
        r##"{"type":"object","properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}"##;
    let deep = nested(60, r#"{"a":"#, "{}", "}");
    let outcome = run("doubling at each level", doubling.to_owned(), deep);
    assert_eq!(
        outcome,
        Outcome {
            coverage: Coverage::Full,
            sent: true,
            noted: true
        }
    );
}

#[test]
fn schemas_that_apply_to_their_own_value_end() {
    check(
        "itself",
        r##"{"$ref":"#"}"##.to_owned(),
        "{}",
        (Coverage::Full, true),
    );
    let pair = r##"{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},
        "b":{"allOf":[{"$ref":"#/$defs/a"}],"type":"object"}}}"##;
    check("each other", pair.to_owned(), "{}", (Coverage::Full, true));
    let tangle = r##"{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}],"type":"object"}"##;
    check(
        "itself thrice",
        tangle.to_owned(),
        r#"{"a":null}"#,
        (Coverage::None, true),
    );
    let branches = r##"{"type":"object","properties":{"a":{"type":"string"}},"required":["b"],
        "anyOf":[{"$ref":"#"}]}"##;
    check(
        "its own branch",
        branches.to_owned(),
        r#"{"a":null}"#,
        (Coverage::Full, false),
    );
}

#[test]
fn large_lists_and_objects_come_back() {
    let values: Vec<String> = (0..100_000).map(|value| format!(r#""v{value}""#)).collect();
    let list = values.join(",");
    let large = format!(r#"{{"type":"object","properties":{{"e":{{"enum":[{list}]}}}}}}"#);
    check(
        "an enum of 1 MB",
        large.clone(),
        r#"{"e":"v99999"}"#,
        (Coverage::Full, true),
    );
    check(
        "not in an enum of 1 MB",
        large,
        r#"{"e":"v100000"}"#,
        (Coverage::Full, false),
    );
    let old = format!(
        r#"{{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{{"e":{{"enum":[{list}]}}}}}}"#
    );
    check(
        "an enum of 1 MB in draft-04",
        old,
        r#"{"e":"v99999"}"#,
        (Coverage::Full, true),
    );
    let required = format!(r#"{{"type":"object","required":[{list}]}}"#);
    check("100,000 required", required, "{}", (Coverage::Full, false));
    let nulls: Vec<String> = (0..10_000)
        .map(|name| format!(r#""n{name}":null"#))
        .collect();
    let many: Vec<String> = (0..10_000)
        .map(|name| format!(r#""n{name}":{{"type":"string"}}"#))
        .collect();
    let declared = format!(r#"{{"type":"object","properties":{{{}}}}}"#, many.join(","));
    let given = format!("{{{}}}", nulls.join(","));
    check("10,000 nulls", declared, &given, (Coverage::Full, true));
    let closed = r#"{"type":"object","additionalProperties":false,"properties":{"abc":{}}}"#;
    check(
        "10,000 unknown",
        closed.to_owned(),
        &given,
        (Coverage::Full, false),
    );
    let huge = format!(
        r#"{{"type":"object","description":"{}"}}"#,
        "x".repeat(3_000_000)
    );
    check("3 MB of text", huge, "{}", (Coverage::None, true));
    let name = "n".repeat(200_000);
    let long = format!(
        r#"{{"type":"object","properties":{{"{name}":{{"allOf":[{}{{}}]}}}}}}"#,
        "{},".repeat(5_000)
    );
    check("a long name over many", long, "{}", (Coverage::None, true));
    let twice = format!("{{{}}}", r#""a":1,"#.repeat(100_000) + r#""a":1"#);
    check(
        "100,000 duplicates",
        r#"{"type":"object"}"#.to_owned(),
        &twice,
        (Coverage::Full, false),
    );
}

#[test]
fn patterns_that_step_back_forever_pass_with_a_note() {
    let pattern = |pattern: &str| {
        format!(
            r#"{{"type":"object","properties":{{"p":{{"type":"string","pattern":"{pattern}"}}}}}}"#
        )
    };
    let given = format!(r#"{{"p":"{}!"}}"#, "a".repeat(200));
    let open = Outcome {
        coverage: Coverage::Full,
        sent: true,
        noted: true,
    };
    for slow in [
        r"^(?:(a|aa)+)\\1?b$",
        r"^(a*)*(?=b)\\1$",
        r"^((?:a(?=a)|a)+)+b$",
    ] {
        assert_eq!(
            run("steps back", pattern(slow), given.clone()),
            open,
            "{slow}"
        );
        // Turned around it passes as well: nobody knows whether it matches.
        let turned = pattern(slow)
            .replace(r#""pattern""#, r#""not":{"pattern""#)
            .replace("}}}", "}}}}");
        assert_eq!(
            run("steps back in a not", turned, given.clone()),
            open,
            "{slow}"
        );
        let key = format!(
            r#"{{"type":"object","patternProperties":{{"{slow}":{{}}}},"additionalProperties":false}}"#
        );
        let named = given.replace(r#"{"p":"#, "{").replace('}', ":1}");
        assert_eq!(run("steps back in a key", key, named), open, "{slow}");
    }
}

#[test]
fn many_slow_matches_end_and_impossible_patterns_are_off() {
    let pattern = |pattern: &str| {
        format!(
            r#"{{"type":"object","properties":{{"p":{{"type":"string","pattern":"{pattern}"}}}}}}"#
        )
    };
    let given = format!(r#"{{"p":"{}!"}}"#, "a".repeat(200));
    let open = Outcome {
        coverage: Coverage::Full,
        sent: true,
        noted: true,
    };
    let slow = r#"{"type":"object","properties":{"p":{"items":{"pattern":"^(?:(a|aa)+)\\1?b$"}}}}"#;
    let texts = |count: usize| {
        let texts: Vec<String> = (0..count)
            .map(|at| format!(r#""{}{at}""#, "a".repeat(99)))
            .collect();
        format!(r#"{{"p":[{}]}}"#, texts.join(","))
    };
    assert_eq!(run("100 of them", slow.to_owned(), texts(100)), open);
    assert_eq!(
        run("100,000 of them", slow.to_owned(), texts(100_000)),
        open
    );
    let outcome = run("linear", pattern("^(a+)+$"), given);
    assert_eq!(
        outcome,
        Outcome {
            coverage: Coverage::Full,
            sent: false,
            noted: false
        }
    );
    let huge = pattern(r"^((.{1,1000}){1,1000}){1,1000}$");
    check(
        "a pattern too large",
        huge,
        r#"{"p":"x"}"#,
        (Coverage::Partial, true),
    );
    let many: Vec<String> = (0..600)
        .map(|key| format!(r#""p{key}":{{"pattern":"^.{{1,300}}{key}[a-z]{{1,300}}$"}}"#))
        .collect();
    let many = format!(r#"{{"type":"object","properties":{{{}}}}}"#, many.join(","));
    let outcome = run("600 patterns", many, r#"{"p1":"x"}"#.to_owned());
    assert_eq!(outcome.coverage, Coverage::Partial);
}

#[test]
fn references_to_other_documents_reach_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port can be listened on");
    listener.set_nonblocking(true).expect("it need not wait");
    let port = listener.local_addr().expect("it has an address").port();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/other.json");
    for target in [
        format!("http://127.0.0.1:{port}/other.json"),
        format!("http://127.0.0.1:{port}/other.json#/$defs/a"),
        format!("file://{file}"),
        file.to_owned(),
        "tests/data/other.json".to_owned(),
    ] {
        for keyword in ["$ref", "$dynamicRef", "$schema"] {
            let text =
                format!(r#"{{"type":"object","properties":{{"a":{{"{keyword}":"{target}"}}}}}}"#);
            let schema = schema(&text);
            // The file would refuse it.
            let sent = schema
                .prepare(Some(r#"{"a":1}"#))
                .expect("what is not there refuses nothing");
            assert_eq!(sent.get().get(), r#"{"a":1}"#, "{keyword} {target}");
            assert!(
                keyword == "$schema" || !schema.notes().is_empty(),
                "{keyword} {target}"
            );
        }
    }
    let reached = listener.accept().map_err(|error| error.kind());
    assert!(matches!(reached, Err(ErrorKind::WouldBlock)), "{reached:?}");
}
