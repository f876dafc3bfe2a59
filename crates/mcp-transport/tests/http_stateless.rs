//! The stateless era of 2026-07-28 over HTTP: headers that mirror the body, and no sessions.
#![cfg(all(feature = "http", feature = "stdio"))]

mod http_support;
mod stdio_support;

use http_support::Site;
use mcp_transport::{CallOptions, ConnectError, Era, Event, Options};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use stdio_support::{call, text_of, within};

const VERSIONS: [&str; 1] = ["2026-07-28"];

#[tokio::test]
async fn every_request_says_version_method_and_name() {
    let site = Site::new(&json!({
        "versions": VERSIONS,
        "tools": [{ "name": "añb", "inputSchema": { "type": "object" } }],
        "calls": { "añb": { "text": "ok" } },
        "resources": [{ "uri": "file:///a b", "name": "a" }],
        "reads": { "file:///a b": { "result": { "contents": [] } } },
    }));
    let (connection, _events) = site.connect(Options::default()).await.unwrap();
    assert_eq!(connection.server().era, Era::Stateless);
    connection.tools().await.unwrap();
    assert_eq!(text_of(call(&connection, "añb").await), "ok");
    connection.read_resource("file:///a b").await.unwrap();
    connection.close().await;
    for (method, name) in [
        ("server/discover", Value::Null),
        ("tools/list", Value::Null),
        ("tools/call", json!("=?base64?YcOxYg==?=")),
        ("resources/read", json!("file:///a b")),
    ] {
        let request = &site.requests(method)[0];
        let headers = &request["headers"];
        assert_eq!(headers["mcp-protocol-version"], "2026-07-28", "{method}");
        assert_eq!(
            (&headers["mcp-method"], &headers["mcp-name"]),
            (&json!(method), &name)
        );
        assert!(headers["mcp-session-id"].is_null());
        let meta = &request["received"]["params"]["_meta"];
        assert_eq!(
            meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28",
            "{method}"
        );
        assert!(
            meta["io.modelcontextprotocol/clientCapabilities"].is_object(),
            "{method}"
        );
    }
    assert!(site.requests("DELETE").is_empty() && site.requests("GET").is_empty());
}

#[tokio::test]
async fn annotated_parameters_are_mirrored_and_illegal_tools_left_out() {
    let parameter = |name: &str, kind: &str| json!({ "type": kind, "x-mcp-header": name });
    let site = Site::new(&json!({
        "versions": VERSIONS,
        "tools": [
            { "name": "good", "inputSchema": { "type": "object", "properties": { "region": parameter("Region", "string"), "n": parameter("N", "integer") } } },
            { "name": "bad", "inputSchema": { "type": "object", "properties": { "x": parameter("a b", "string") } } },
            { "name": "plain", "inputSchema": { "type": "object" } },
        ],
        "calls": { "good": { "text": "ok" } },
    }));
    let (connection, _events) = site.connect(Options::default()).await.unwrap();
    let tools = connection.tools().await.unwrap();
    let names: Vec<_> = tools.items.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["good", "plain"]);
    assert!(
        tools.problems[0].to_string().contains("bad")
            && tools.problems[0].to_string().contains("not a header name"),
        "{:?}",
        tools.problems
    );
    for (arguments, region, n) in [
        (r#"{"region":"eu-1","n":42}"#, json!("eu-1"), json!("42")),
        (
            r#"{"region":"Köln","n":null}"#,
            json!("=?base64?S8O2bG4=?="),
            Value::Null,
        ),
        ("{}", Value::Null, Value::Null),
    ] {
        let raw = RawValue::from_string(arguments.to_owned()).unwrap();
        within(
            "a call",
            connection.call_tool("good", &raw, CallOptions::new()),
        )
        .await
        .unwrap();
        let headers = site.requests("tools/call").pop().unwrap()["headers"].clone();
        assert_eq!(
            (&headers["mcp-param-region"], &headers["mcp-param-n"]),
            (&region, &n),
            "{arguments}"
        );
    }
    let out_of_range = RawValue::from_string(r#"{"n":9007199254740993}"#.to_owned()).unwrap();
    let sent = site.requests("tools/call").len();
    let error = within(
        "a call",
        connection.call_tool("good", &out_of_range, CallOptions::new()),
    )
    .await
    .unwrap_err();
    assert!(error.to_string().contains("2^53"), "{error}");
    assert_eq!(site.requests("tools/call").len(), sent);
}

#[tokio::test]
async fn an_older_era_ignores_annotations() {
    let site = Site::new(&json!({
        "tools": [{ "name": "bad", "inputSchema": { "type": "object", "properties": { "x": { "type": "number", "x-mcp-header": "" } } } }],
    }));
    let (connection, _events) = site.session().await;
    assert_eq!(connection.tools().await.unwrap().items.len(), 1);
}

#[tokio::test]
async fn changes_come_on_a_subscription() {
    let site = Site::new(&json!({
        "versions": VERSIONS,
        "journal": ["sent", "closed"],
        "tools": [{ "name": "t", "inputSchema": { "type": "object" } }],
        "calls": { "t": [{ "changed": "tools" }, { "text": "ok" }] },
    }));
    let (connection, mut events) = site.connect(Options::default()).await.unwrap();
    site.journalled("the acknowledgement", |line| {
        line["sent"]["method"] == "notifications/subscriptions/acknowledged"
    })
    .await;
    call(&connection, "t").await.unwrap();
    loop {
        match within("the change", events.recv()).await.unwrap() {
            Event::ToolsChanged => break,
            Event::Log(_) => {}
            other => panic!("{other:?}"),
        }
    }
    connection.close().await;
    site.journalled("the end of the subscription", |line| {
        line["closed"] == "POST"
    })
    .await;
}

#[tokio::test]
async fn a_version_that_is_refused_and_offered_is_asked_for_once_more() {
    let refusal = |supported: Value| {
        json!({ "respond": { "status": 400, "headers": { "Content-Type": "application/json" }, "json": { "jsonrpc": "2.0", "id": { "@id": true },
            "error": { "code": -32022, "message": "Unsupported protocol version", "data": { "supported": supported, "requested": "2026-07-28" } } } } })
    };
    let rules =
        json!([{ "when": "server/discover", "nth": 1, "do": refusal(json!(["2026-07-28"])) }]);
    let site = Site::new(&json!({ "versions": VERSIONS, "tools": [], "rules": rules }));
    let (connection, _events) = site.connect(Options::default()).await.unwrap();
    assert_eq!(connection.server().era, Era::Stateless);

    let rules = json!([{ "when": "server/discover", "do": refusal(json!(["2025-06-18"])) }]);
    let site = Site::new(&json!({ "versions": ["2025-06-18"], "tools": [], "rules": rules }));
    let (connection, _events) = site.connect(Options::default()).await.unwrap();
    assert_eq!(connection.server().protocol_version.as_str(), "2025-06-18");

    let rules = json!([{ "when": "server/discover", "do": refusal(json!(["2031-01-01"])) }]);
    let site = Site::new(&json!({ "rules": rules }));
    let error = site.connect(Options::default()).await.unwrap_err();
    let text = error.to_string();
    assert!(
        matches!(error, ConnectError::Version { .. })
            && text.contains("2031-01-01")
            && text.contains("2026-07-28"),
        "{text}"
    );
}

#[tokio::test]
async fn a_call_refused_for_its_headers_is_sent_again_after_a_new_listing() {
    let mismatch = json!({ "respond": { "status": 400, "headers": { "Content-Type": "application/json" }, "json": { "jsonrpc": "2.0",
        "id": { "@id": true }, "error": { "code": -32020, "message": "Header mismatch: Mcp-Param-Region is missing" } } } });
    let region = json!({ "type": "object", "properties": { "region": { "type": "string", "x-mcp-header": "Region" } } });
    for (refusals, sent, answered) in [("..1", 2, true), ("1..", 2, false)] {
        let site = Site::new(&json!({
            "versions": VERSIONS,
            "tools": [{ "name": "t", "inputSchema": region }],
            "rules": [{ "when": "tools/call", "nth": refusals, "do": mismatch }],
            "calls": { "t": { "text": "ok" } },
        }));
        let (connection, _events) = site.connect(Options::default()).await.unwrap();
        let arguments = RawValue::from_string(r#"{"region":"eu-1"}"#.to_owned()).unwrap();
        let outcome = within(
            "a call",
            connection.call_tool("t", &arguments, CallOptions::new()),
        )
        .await;
        assert_eq!(outcome.is_ok(), answered, "{outcome:?}");
        let calls = site.requests("tools/call");
        assert_eq!(calls.len(), sent);
        assert_eq!(
            (
                &calls[0]["headers"]["mcp-param-region"],
                &calls[1]["headers"]["mcp-param-region"]
            ),
            (&Value::Null, &json!("eu-1"))
        );
    }
}

#[tokio::test]
async fn a_subscription_that_the_server_ends_is_opened_again() {
    let tools = json!([{ "name": "t", "inputSchema": { "type": "object" } }]);
    let site = Site::new(
        &json!({ "versions": VERSIONS, "journal": ["sent"], "tools": tools, "calls": { "t": ["endSubscriptions", { "text": "ok" }] } }),
    );
    let (connection, _events) = site.connect(Options::default()).await.unwrap();
    let acknowledged =
        |line: &Value| line["sent"]["method"] == "notifications/subscriptions/acknowledged";
    site.journalled("the acknowledgement", acknowledged).await;
    call(&connection, "t").await.unwrap();
    site.journalled_times("the second acknowledgement", 2, acknowledged)
        .await;
}

#[tokio::test]
async fn a_list_is_asked_for_again_only_when_it_no_longer_holds() {
    let tools = json!([{ "name": "t", "inputSchema": { "type": "object" } }]);
    for (ttl, asked) in [(json!(600_000), 1), (json!(0), 3)] {
        let site = Site::new(
            &json!({ "versions": VERSIONS, "tools": tools, "cache": { "ttlMs": ttl, "cacheScope": "private" },
            "journal": ["sent"], "calls": { "t": [{ "changed": "tools" }, { "text": "ok" }] } }),
        );
        let (connection, mut events) = site.connect(Options::default()).await.unwrap();
        for _ in 0..3 {
            assert_eq!(connection.tools().await.unwrap().items.len(), 1);
        }
        assert_eq!(site.requests("tools/list").len(), asked);
        site.journalled("the acknowledgement", |line| {
            line["sent"]["method"] == "notifications/subscriptions/acknowledged"
        })
        .await;
        call(&connection, "t").await.unwrap();
        while !matches!(
            within("the change", events.recv()).await.unwrap(),
            Event::ToolsChanged
        ) {}
        connection.tools().await.unwrap();
        assert_eq!(
            site.requests("tools/list").len(),
            asked + 1,
            "a change outdates the list"
        );
    }
}
