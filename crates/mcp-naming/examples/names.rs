//! Names one batch of tools: `[["server","tool"],…]` on standard input, names and problems on
//! standard output.
//!
//! Exit codes: 0 when the names are printed (with or without problems), 2 when the input is not
//! such a list.

use std::error::Error;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use mcp_naming::{ExposedName, NameTable};
use serde::Serialize;
use serde_json::Value;

const USAGE: &str =
    r#"usage: echo '[["server","tool"],…]' | cargo run -p mcp-naming --example names"#;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be done if standard error is closed too.
            let _ = writeln!(io::stderr(), "error: {error}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    if let Some(argument) = std::env::args().nth(1) {
        return Err(format!(
            "unexpected argument {argument:?}: the pairs are read from standard input"
        )
        .into());
    }
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    let answer = answer(&input)?;
    writeln!(io::stdout(), "{answer}")?;
    Ok(())
}

/// What is printed.
#[derive(Serialize)]
struct Answer<'a> {
    names: Vec<Option<ExposedName>>,
    problems: Vec<Problem<'a>>,
}

/// Why the pair at `index` of the input has no name.
#[derive(Serialize)]
struct Problem<'a> {
    index: usize,
    server: &'a str,
    tool: &'a str,
    message: String,
}

fn answer(input: &[u8]) -> Result<String, Box<dyn Error>> {
    let input = std::str::from_utf8(input).map_err(|error| {
        format!(
            "the input is not UTF-8 from byte {} on",
            error.valid_up_to()
        )
    })?;
    if input.trim().is_empty() {
        return Err("nothing came on standard input".into());
    }
    let batch: Value =
        serde_json::from_str(input).map_err(|error| format!("the input is not JSON: {error}"))?;
    let Value::Array(items) = &batch else {
        return Err("the input must be a list of pairs: [[\"server\",\"tool\"],…]".into());
    };
    let pairs = items
        .iter()
        .enumerate()
        .map(pair)
        .collect::<Result<Vec<_>, _>>()?;

    let mut answer = Answer {
        names: Vec::new(),
        problems: Vec::new(),
    };
    let outcomes = NameTable::new().assign(pairs.iter().copied());
    for (index, (outcome, (server, tool))) in outcomes.into_iter().zip(pairs).enumerate() {
        let named = outcome.map_err(|problem| {
            answer.problems.push(Problem {
                index,
                server,
                tool,
                message: problem.to_string(),
            });
        });
        answer.names.push(named.ok());
    }
    Ok(serde_json::to_string(&answer)?)
}

fn pair((index, item): (usize, &Value)) -> Result<(&str, &str), String> {
    match item.as_array().map(Vec::as_slice) {
        Some([Value::String(server), Value::String(tool)]) => Ok((server, tool)),
        _ => Err(format!(
            "item {index} must be a pair of strings [\"server\",\"tool\"], but it is {}",
            shorten(item)
        )),
    }
}

/// The item's JSON, cut where it is too long to be read.
fn shorten(item: &Value) -> String {
    const LONGEST: usize = 60;
    let text = item.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::answer;

    fn check(input: &str, expected: &str) {
        assert_eq!(
            answer(input.as_bytes()).expect("the input is good"),
            expected,
            "{input}"
        );
    }

    fn refuses(input: &[u8], expected: &str) {
        let error = answer(input).expect_err("the input is bad").to_string();
        assert!(
            error.contains(expected),
            "{error:?} does not contain {expected:?}"
        );
    }

    #[test]
    fn names_come_in_input_order_and_problems_beside_them() {
        check("[]", r#"{"names":[],"problems":[]}"#);
        check(
            r#" [["b","y"],["a","x"]] "#,
            r#"{"names":["mcp__b__y","mcp__a__x"],"problems":[]}"#,
        );
        check(
            r#"[["a",""],["a","x"],["a","x"]]"#,
            concat!(
                r#"{"names":[null,"mcp__a__x",null],"problems":["#,
                r#"{"index":0,"server":"a","tool":"","message":"server \"a\" offers a tool without a name, which cannot be called"},"#,
                r#"{"index":2,"server":"a","tool":"x","message":"server \"a\" offers tool \"x\" more than once; the first is kept"}]}"#,
            ),
        );
    }

    #[test]
    fn bad_input_is_named_as_what_it_is() {
        refuses(b"", "nothing came");
        refuses(b" \n", "nothing came");
        refuses(b"\"\xff\"", "not UTF-8 from byte 1 on");
        refuses(
            br#"[["a","b"]"#,
            "not JSON: EOF while parsing a list at line 1 column 10",
        );
        refuses(br#"[["a","b"]] x"#, "not JSON: trailing characters");
        refuses(br#"{"a":"b"}"#, "must be a list of pairs");
        refuses(
            br#"[["a","b"],["a"]]"#,
            r#"item 1 must be a pair of strings ["server","tool"], but it is ["a"]"#,
        );
        refuses(br#"[["a",1]]"#, "item 0 must be a pair");
        refuses(br#"[["a","b","c"]]"#, "item 0 must be a pair");
        refuses(br#"["a","b"]"#, r#"but it is "a""#);
        refuses(
            "[".repeat(10_000).as_bytes(),
            "not JSON: recursion limit exceeded",
        );
        refuses(format!("[\"{}\"]", "é".repeat(10_000)).as_bytes(), "é…");
    }
}
