//! Lists: all pages, cursors that lead nowhere, items and pages that are malformed.

mod support;

use mcp_transport::{Connection, Listing, Options, RequestError, Tool};
use serde_json::{Value, json};
use support::{Peer, connected, connected_with};
use tokio::task::JoinHandle;

type Listed = JoinHandle<Result<Listing<Tool>, RequestError>>;

fn list(connection: &Connection) -> Listed {
    let connection = connection.clone();
    support::spawn(async move { connection.tools().await })
}

fn tool(name: &str) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object" } })
}

fn names(listing: &Listing<Tool>) -> Vec<&str> {
    listing
        .items
        .iter()
        .map(|tool| tool.name.as_str())
        .collect()
}

fn problems(listing: &Listing<Tool>) -> Vec<String> {
    listing.problems.iter().map(ToString::to_string).collect()
}

/// Serves pages: each is the cursor that is expected and the result.
async fn serve(peer: &mut Peer, pages: &[(Value, Value)]) {
    for (cursor, result) in pages {
        let request = peer.expect("tools/list").await;
        assert_eq!(request["params"]["cursor"], *cursor);
        peer.result(&request, result.clone()).await;
    }
}

#[tokio::test]
async fn every_page_is_asked_for_an_empty_cursor_too() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let listed = list(&connection);
    let pages = [
        (
            json!(null),
            json!({ "tools": [tool("a")], "nextCursor": "p \"2\"" }),
        ),
        (
            json!("p \"2\""),
            json!({ "tools": [tool("b")], "nextCursor": "" }),
        ),
        (
            json!(""),
            json!({ "tools": [tool("c")], "nextCursor": null }),
        ),
    ];
    serve(&mut peer, &pages).await;
    let listing = listed.await.unwrap().unwrap();
    assert_eq!(
        (names(&listing), problems(&listing).len()),
        (vec!["a", "b", "c"], 0)
    );
}

#[tokio::test]
async fn a_cursor_that_comes_again_ends_the_list() {
    // lif-11
    let eight: Vec<Value> = (0..8).map(|number| tool(&format!("t{number}"))).collect();
    for cursors in [vec!["8", "8"], vec!["a", "b", "a"]] {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let listed = list(&connection);
        let mut asked = json!(null);
        for cursor in &cursors {
            let page = json!({ "tools": eight, "nextCursor": cursor });
            serve(&mut peer, &[(asked, page)]).await;
            asked = json!(cursor);
        }
        let listing = listed.await.unwrap().unwrap();
        assert_eq!(listing.items.len(), 8);
        let last = problems(&listing).pop().unwrap();
        let repeated = cursors.last().unwrap();
        assert_eq!(
            last,
            format!("nextCursor: the cursor \"{repeated}\" was given before")
        );
    }
}

#[tokio::test]
async fn a_list_without_end_is_cut() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let listed = list(&connection);
    for page in 0..1000 {
        let request = peer.expect("tools/list").await;
        let result =
            json!({ "tools": [tool(&format!("t{page}"))], "nextCursor": page.to_string() });
        peer.result(&request, result).await;
    }
    let listing = listed.await.unwrap().unwrap();
    assert_eq!(listing.items.len(), 1000);
    assert_eq!(
        problems(&listing),
        ["nextCursor: the list goes on after 1000 pages"]
    );
}

#[tokio::test]
async fn a_list_as_large_as_a_message_may_be_is_cut() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let listed = list(&connection);
    let large = "x".repeat(6 << 20);
    for page in 0..3 {
        let request = peer.expect("tools/list").await;
        let mut item = tool(&format!("t{page}"));
        item["description"] = json!(large);
        let result = json!({ "tools": [item], "nextCursor": page.to_string() });
        peer.result(&request, result).await;
    }
    let listing = listed.await.unwrap().unwrap();
    assert_eq!(names(&listing), ["t0", "t1", "t2"]);
    assert_eq!(
        problems(&listing),
        ["nextCursor: the list goes on after 16 MiB"]
    );
}

#[tokio::test]
async fn items_beyond_any_real_list_are_counted_instead() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    for (pages, expected) in [
        (&[50_002_usize][..], "tools: 2 more items are left out"),
        (
            &[40_000, 10_000],
            "nextCursor: the list goes on after 50000 items",
        ),
    ] {
        let listed = list(&connection);
        let mut first = 0;
        for items in pages {
            let request = peer.expect("tools/list").await;
            let tools: Vec<Value> = (first..first + items)
                .map(|number| tool(&format!("t{number}")))
                .collect();
            first += items;
            let more = (pages.len() > 1).then(|| first.to_string());
            peer.result(&request, json!({ "tools": tools, "nextCursor": more }))
                .await;
        }
        let listing = listed.await.unwrap().unwrap();
        assert_eq!(listing.items.len(), 50_000);
        assert_eq!(problems(&listing), [expected]);
    }
}

#[tokio::test]
async fn a_bad_item_costs_itself_and_is_reported() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let listed = list(&connection);
    let tools = json!([
        tool("first"),
        7,
        { "inputSchema": {} },
        { "name": "", "inputSchema": {} },
        { "name": 5, "inputSchema": {} },
        { "name": "no schema" },
        { "name": "bad schema", "inputSchema": "text" },
        { "name": "odd", "inputSchema": {}, "description": 5, "title": null, "outputSchema": [] },
        tool("first"),
        tool("last"),
    ]);
    serve(&mut peer, &[(json!(null), json!({ "tools": tools }))]).await;
    let listing = listed.await.unwrap().unwrap();
    assert_eq!(names(&listing), ["first", "odd", "last"]);
    assert_eq!(
        problems(&listing),
        [
            "tools[1]: expected an object, found a number",
            "tools[2].name: missing",
            "tools[3].name: empty",
            "tools[4].name: expected a string, found a number",
            "tools[5].inputSchema: missing (in the tool \"no schema\")",
            "tools[6].inputSchema: expected an object, found a string (in the tool \"bad schema\")",
            "tools[7].description: expected a string, found a number",
            "tools[7].outputSchema: expected an object, found an array",
            "tools[8]: a second \"first\"; the first one is kept",
        ]
    );
}

#[tokio::test]
async fn a_page_with_a_wrong_envelope_is_an_invalid_result() {
    let cases = [
        (json!(null), "result: expected an object, found null"),
        (json!([]), "result: expected an object, found an array: []"),
        (json!({}), "tools: missing"),
        (
            json!({ "tools": {} }),
            "tools: expected an array, found an object",
        ),
        (
            json!({ "tools": null }),
            "tools: expected an array, found null",
        ),
        (
            json!({ "tools": [], "nextCursor": 5 }),
            "nextCursor: expected a string, found a number",
        ),
    ];
    for (result, expected) in cases {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let listed = list(&connection);
        serve(&mut peer, &[(json!(null), result)]).await;
        let error = listed.await.unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("Invalid result for tools/list: {expected}")
        );
    }
}

#[tokio::test]
async fn a_tool_keeps_the_bytes_of_its_schemas_and_unknown_members() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let listed = list(&connection);
    let id = peer.expect("tools/list").await["id"].clone();
    let schema = r#"{ "type":"object","z":1.0, "a": 12345678901234567890123 }"#;
    let output = r#"{"x": 1e2}"#;
    peer.line(&format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{{"name":"n","title":"T","description":"a\nb","inputSchema":{schema},"outputSchema":{output},"annotations":{{"readOnlyHint":true}},"_meta":{{}},"execution":{{"x":1}}}}]}}}}"#
    ))
    .await;
    let listing = listed.await.unwrap().unwrap();
    let tool = &listing.items[0];
    assert_eq!(tool.input_schema.get(), schema);
    assert_eq!(tool.output_schema.as_ref().unwrap().get(), output);
    assert_eq!(
        (tool.title.as_deref(), tool.description.as_deref()),
        (Some("T"), Some("a\nb"))
    );
    assert_eq!(
        tool.annotations.as_ref().unwrap().get(),
        r#"{"readOnlyHint":true}"#
    );
    assert_eq!(
        (tool.other[0].0.as_str(), tool.other[0].1.get()),
        ("execution", r#"{"x":1}"#)
    );
}

#[tokio::test]
async fn only_what_is_declared_is_asked_for() {
    // lif-06, lif-08
    let (connection, _events, mut peer) =
        connected_with(Options::default(), json!({ "tools": {} }), 1 << 16).await;
    assert!(connection.resources().await.unwrap().items.is_empty());
    assert!(
        connection
            .resource_templates()
            .await
            .unwrap()
            .items
            .is_empty()
    );
    assert!(connection.prompts().await.unwrap().items.is_empty());
    let listed = list(&connection);
    serve(
        &mut peer,
        &[(json!(null), json!({ "tools": [tool("only")] }))],
    )
    .await;
    assert_eq!(names(&listed.await.unwrap().unwrap()), ["only"]);
}

#[tokio::test]
async fn a_list_that_is_declared_and_not_there_is_empty() {
    // lif-06, lif-07, lif-08
    let (connection, _events, mut peer) = connected(Options::default()).await;
    for method in [
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "prompts/list",
    ] {
        let connection = connection.clone();
        let listed = support::spawn(async move {
            match method {
                "tools/list" => connection.tools().await.map(|list| list.items.len()),
                "resources/list" => connection.resources().await.map(|list| list.items.len()),
                "prompts/list" => connection.prompts().await.map(|list| list.items.len()),
                _ => connection
                    .resource_templates()
                    .await
                    .map(|list| list.items.len()),
            }
        });
        let request = peer.expect(method).await;
        peer.error(
            &request,
            json!({ "code": -32601, "message": "Method not found" }),
        )
        .await;
        assert_eq!(listed.await.unwrap().unwrap(), 0, "{method}");
    }
}

#[tokio::test]
async fn resources_templates_and_prompts_are_read() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let serve = async {
        let request = peer.expect("resources/list").await;
        let resources =
            json!([{ "uri": "a://1", "name": "one", "mimeType": "text/plain", "size": 7 }, {}]);
        peer.result(&request, json!({ "resources": resources }))
            .await;
        let request = peer.expect("resources/templates/list").await;
        peer.result(
            &request,
            json!({ "resourceTemplates": [{ "uriTemplate": "a://{x}" }] }),
        )
        .await;
        let request = peer.expect("prompts/list").await;
        let arguments = json!([{ "name": "x", "required": true }, 5]);
        let prompts = json!([{ "name": "greet", "arguments": arguments }, { "name": "odd", "arguments": {} }]);
        peer.result(&request, json!({ "prompts": prompts })).await;
    };
    let ask = async {
        let resources = connection.resources().await.unwrap();
        assert_eq!(resources.items[0].size, Some(7));
        assert_eq!(
            resources.problems[0].to_string(),
            "resources[1].uri: missing"
        );
        let templates = connection.resource_templates().await.unwrap();
        assert_eq!(templates.items[0].uri_template, "a://{x}");
        let prompts = connection.prompts().await.unwrap();
        assert!(prompts.items[0].arguments[0].required);
        let told: Vec<_> = prompts.problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "prompts[0].arguments: expected an object, found a number",
                "prompts[1].arguments: expected an array, found an object"
            ]
        );
    };
    tokio::join!(ask, serve);
}
