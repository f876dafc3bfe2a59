//! Answers to calls that no host should have to take apart.

use serde_json::{Value, json};

use super::{Attack, tool};

pub(super) fn attacks() -> Vec<Attack> {
    let answer = |name, about, script| Attack::stdio(name, about, script).large();
    vec![
        answer("huge-result", "a text of 15 MiB", huge_result),
        answer("too-large-result", "a text of 17 MiB", too_large_result).ends("larger than"),
        answer("many-parts", "500,000 parts of content", many_parts),
        answer(
            "numbers-for-parts",
            "millions of numbers as content",
            numbers_for_parts,
        ),
        answer(
            "deep-result",
            "structured content nested 1,000,000 times",
            deep_result,
        ),
        answer(
            "long-error",
            "an error with a message of 15 MiB",
            long_error,
        )
        .ends("error -32000"),
    ]
}

fn repeated(times: usize) -> Value {
    json!({ "@repeat": { "text": "x", "times": times } })
}

fn huge_result() -> Value {
    tool(json!({ "text": repeated(15 << 20) }))
}

fn too_large_result() -> Value {
    tool(json!({ "text": repeated(17 << 20) }))
}

fn content(item: Value, times: usize) -> Value {
    tool(json!({ "result": { "content": [{ "@each": { "times": times, "item": item } }] } }))
}

fn many_parts() -> Value {
    content(json!({ "type": "text", "text": "x" }), 500_000)
}

fn numbers_for_parts() -> Value {
    content(json!(1), 7_000_000)
}

fn deep_result() -> Value {
    let depth = 1_000_000;
    let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    tool(json!({ "result": { "content": [], "structuredContent": { "@json": text } } }))
}

fn long_error() -> Value {
    tool(json!({ "error": { "code": -32000, "message": repeated(15 << 20) } }))
}
