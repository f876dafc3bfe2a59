//! Lists that no host should have to keep.

use serde_json::{Value, json};

use super::{Attack, definition, tool};

pub(super) fn attacks() -> Vec<Attack> {
    let list = |name, about, script| Attack::stdio(name, about, script).large();
    vec![
        list("huge-list", "200,000 tools on one page", huge_list),
        list(
            "too-large-list",
            "a page of more than 16 MiB",
            too_large_list,
        )
        .ends("larger than"),
        list(
            "endless-pages",
            "pages of 5,000 tools, without end",
            endless_pages,
        )
        .ends("50000 items"),
        list("large-pages", "pages of 3 MiB, without end", large_pages).ends("16 MiB"),
        Attack::stdio(
            "empty-pages",
            "pages without a tool, without end",
            empty_pages,
        )
        .ends("1000 pages"),
        list(
            "numbers-for-tools",
            "a page of millions of numbers",
            numbers_for_tools,
        )
        .ends("items are left out"),
        list("long-names", "tools with names of 1 MiB", long_names),
        list(
            "ever-new-list",
            "a list that changes entirely, again and again",
            ever_new_list,
        ),
        list("deep-schema", "a schema nested 100,000 times", deep_schema),
        Attack::stdio(
            "exploding-schema",
            "a schema whose references double 60 times",
            exploding_schema,
        ),
    ]
}

fn tools(item: Value, times: usize) -> Value {
    let mut script = tool(json!({ "text": "fine" }));
    script["tools"] = json!([definition(), each(item, times)]);
    script
}

fn each(item: Value, times: usize) -> Value {
    json!({ "@each": { "times": times, "item": item } })
}

fn numbered(start: &str) -> Value {
    json!({ "name": { "@concat": [start, { "@index": true }] }, "inputSchema": { "type": "object" } })
}

fn huge_list() -> Value {
    tools(numbered("tool-"), 200_000)
}

fn too_large_list() -> Value {
    tools(numbered("tool-"), 400_000)
}

/// One page after the other, the first with the tool.
fn paged(items: Value) -> Value {
    let mut script = tool(json!({ "text": "fine" }));
    let page = |items: Value| {
        let cursor = json!({ "@concat": ["page-", { "@nth": true }] });
        json!({ "result": { "tools": items, "nextCursor": cursor } })
    };
    script["rules"] = json!([
        { "when": "tools/list", "nth": 1, "do": page(json!([definition()])) },
        { "when": "tools/list", "do": page(items) },
    ]);
    script
}

fn endless_pages() -> Value {
    let name = json!({ "@concat": ["tool-", { "@nth": true }, "-", { "@index": true }] });
    let item = json!({ "name": name, "inputSchema": { "type": "object" } });
    paged(json!([each(item, 5_000)]))
}

fn large_pages() -> Value {
    let name = json!({ "@concat": ["tool-", { "@nth": true }] });
    let text = json!({ "@repeat": { "text": "x", "times": 3 << 20 } });
    let schema = json!({ "type": "object" });
    paged(json!([{ "name": name, "description": text, "inputSchema": schema }]))
}

fn empty_pages() -> Value {
    paged(json!([]))
}

fn numbers_for_tools() -> Value {
    tools(json!(1), 7_000_000)
}

fn long_names() -> Value {
    let name = json!({ "@concat": [{ "@repeat": { "text": "n", "times": 1 << 20 } }, { "@index": true }] });
    tools(
        json!({ "name": name, "inputSchema": { "type": "object" } }),
        15,
    )
}

fn ever_new_list() -> Value {
    let mut script = tool(json!([
        { "background": [{ "repeat": { "times": 400, "do": [{ "changed": "tools" }, { "sleepMs": 5 }] } }] },
        { "sleepMs": 1500 },
        { "text": "fine" },
    ]));
    let name = json!({ "@concat": ["tool-", { "@nth": true }, "-", { "@index": true }] });
    let item = json!({ "name": name, "inputSchema": { "type": "object" } });
    script["rules"] = json!([
        { "when": "tools/list", "do": { "result": { "tools": [definition(), each(item, 5_000)] } } },
    ]);
    script
}

fn with_schema(schema: Value) -> Value {
    let mut script = tool(json!({ "text": "fine" }));
    script["tools"] = json!([{ "name": "attack", "inputSchema": schema }]);
    script
}

fn deep_schema() -> Value {
    let depth = 100_000;
    let text = format!(
        r#"{{"type":"object","properties":{{"a":{}{{}}{}}}}}"#,
        r#"{"not":"#.repeat(depth),
        "}".repeat(depth)
    );
    with_schema(json!({ "@json": text }))
}

fn exploding_schema() -> Value {
    let mut definitions = serde_json::Map::new();
    for level in 0..60 {
        let next = json!({ "$ref": format!("#/$defs/level-{}", level + 1) });
        definitions.insert(format!("level-{level}"), json!({ "allOf": [next, next] }));
    }
    definitions.insert("level-60".to_owned(), json!({ "type": "object" }));
    with_schema(json!({ "type": "object", "$defs": definitions, "$ref": "#/$defs/level-0" }))
}
