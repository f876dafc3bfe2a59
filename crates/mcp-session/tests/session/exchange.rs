//! What an exchange declares, and what its calls come to.

use crate::support::{Plan, Sandbox, names, reach, until};
use mcp_session::{BeginError, CallFailure, CallOptions, OutputPolicy, ServerState, ToolResult};
use serde_json::json;
use tokio_util::sync::CancellationToken;

const ONE: &str = r#""files": {"command": "files"}"#;

fn failed(result: &ToolResult, failure: CallFailure) -> String {
    assert!(result.is_error);
    assert_eq!(result.failure, Some(failure), "{}", result.text());
    result.text()
}

#[tokio::test(start_paused = true)]
async fn tools_are_declared_in_the_order_of_their_names_with_the_servers_own_bytes() {
    let sandbox = Sandbox::new(r#""z": {"command": "z"}, "a": {"command": "a"}"#);
    sandbox.fleet.tools("z", &["b", "a"]);
    sandbox.fleet.raw_tools("a", vec![json!({"name": "look up", "description": "Looks.", "inputSchema": {"type": "object", "x": 1.50}})]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(
        names(&exchange),
        ["mcp__a__look_up", "mcp__z__a", "mcp__z__b"]
    );
    let shown = serde_json::to_string(&exchange.tools()[0]).unwrap();
    assert_eq!(
        shown,
        r#"{"name":"mcp__a__look_up","server":"a","rawName":"look up","description":"Looks.","inputSchema":{"type":"object","x":1.5}}"#
    );
    assert!(exchange.problems().is_empty(), "{:?}", exchange.problems());
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_reaches_its_server_under_the_raw_name_and_comes_back_as_content() {
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["read file"]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let result = exchange
        .call("mcp__files__read_file", r#"{"path":"a"}"#)
        .await;
    assert_eq!(
        (result.is_error, result.text().as_str()),
        (false, r#"{"path":"a"}"#)
    );
    assert_eq!(
        sandbox.fleet.calls("files"),
        [(1, "read file".to_owned(), json!({"path": "a"}))]
    );
    assert_eq!(
        exchange.call("mcp__files__read_file", "").await.text(),
        "{}"
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn arguments_are_cleaned_and_checked_before_anything_is_sent() {
    let sandbox = Sandbox::new(ONE);
    let schema = json!({"type": "object", "properties": {"path": {"type": "string", "pattern": "^/"}, "limit": {"type": "integer"}},
        "required": ["path"], "additionalProperties": false});
    sandbox.fleet.raw_tools(
        "files",
        vec![json!({"name": "read", "inputSchema": schema})],
    );
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let result = exchange
        .call("mcp__files__read", r#"{"path":"/a","limit":null}"#)
        .await;
    assert_eq!(result.text(), r#"{"path":"/a"}"#);
    for wrong in [
        r#"{"path":"a"}"#,
        r#"{"path":"/a","extra":1}"#,
        "{}",
        "not JSON",
        "[]",
    ] {
        let text = failed(
            &exchange.call("mcp__files__read", wrong).await,
            CallFailure::RefusedArguments,
        );
        assert!(text.contains("was not called"), "{text}");
    }
    assert_eq!(sandbox.fleet.calls("files").len(), 1);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn unknown_hidden_and_withdrawn_tools_each_have_their_own_words() {
    let sandbox =
        Sandbox::new(r#""files": {"command": "files", "toolExposure": {"secret": "hidden"}}"#);
    sandbox.fleet.tools("files", &["read", "secret", "write"]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__files__read", "mcp__files__write"]);
    let unknown = failed(
        &exchange.call("mcp__files__other", "{}").await,
        CallFailure::UnknownTool,
    );
    assert!(
        unknown.contains("there is no tool \"mcp__files__other\""),
        "{unknown}"
    );
    let hidden = failed(
        &exchange.call("mcp__files__secret", "{}").await,
        CallFailure::HiddenTool,
    );
    assert!(hidden.contains("kept from the model"), "{hidden}");

    sandbox
        .fleet
        .tools("files", &["read", "secret", "write", "late"]);
    sandbox.fleet.list_changed("files");
    until(&session, "files", |status| status.tools == 4).await;
    let late = failed(
        &exchange.call("mcp__files__late", "{}").await,
        CallFailure::UnknownTool,
    );
    assert!(late.contains("called in the next one"), "{late}");

    sandbox.fleet.tools("files", &["read"]);
    sandbox.fleet.list_changed("files");
    until(&session, "files", |status| status.tools == 1).await;
    let withdrawn = failed(
        &exchange.call("mcp__files__write", "{}").await,
        CallFailure::Withdrawn,
    );
    assert!(withdrawn.contains("no longer available"), "{withdrawn}");
    assert_eq!(names(&exchange).len(), 2, "the exchange is frozen");
    exchange.finish();

    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__files__read"]);
    let withdrawn = failed(
        &exchange.call("mcp__files__write", "{}").await,
        CallFailure::Withdrawn,
    );
    assert!(withdrawn.contains("no longer available"), "{withdrawn}");
    assert!(sandbox.fleet.calls("files").is_empty());
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_changed_takes_calls_that_fit_it_and_explains_those_that_do_not() {
    let sandbox = Sandbox::new(ONE);
    let tool = |member: &str| json!({"name": "read", "inputSchema": {"type": "object", "required": [member]}});
    sandbox.fleet.raw_tools("files", vec![tool("path")]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    sandbox.fleet.raw_tools("files", vec![tool("uri")]);
    sandbox.fleet.list_changed("files");
    until(&session, "files", |status| status.listings == 2).await;
    let text = failed(
        &exchange.call("mcp__files__read", r#"{"path":"a"}"#).await,
        CallFailure::Changed,
    );
    assert!(
        text.contains("has changed on its server") && text.contains("uri"),
        "{text}"
    );
    assert!(
        !exchange
            .call("mcp__files__read", r#"{"uri":"a"}"#)
            .await
            .is_error
    );
    assert!(
        exchange.tools()[0].input_schema().get().contains("path"),
        "the definition is frozen"
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn errors_of_the_server_reach_the_model_with_code_and_data() {
    // res-19
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.tools("files", &["fail", "isError"]);
    let error = json!({"code": -32603, "message": "workspace name cannot be empty", "data": {"field": "name"}});
    sandbox
        .fleet
        .answer("files", "fail", json!({"error": error}));
    sandbox.fleet.answer(
        "files",
        "isError",
        json!({"isError": true, "content": [{"type": "text", "text": "no such file"}]}),
    );
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let text = failed(
        &exchange.call("mcp__files__fail", "{}").await,
        CallFailure::ServerError,
    );
    assert_eq!(
        text,
        "server \"files\" answered with error -32603: workspace name cannot be empty\ndata: {\"field\":\"name\"}"
    );
    let result = exchange.call("mcp__files__isError", "{}").await;
    assert_eq!(
        (result.is_error, result.failure, result.text().as_str()),
        (true, None, "no such file")
    );
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_silent_call_ends_at_its_entrys_deadline_and_a_cancelled_one_at_once() {
    let sandbox = Sandbox::new(r#""files": {"command": "files", "requestTimeoutMs": 2000}"#);
    sandbox
        .fleet
        .tools("files", &["hang"])
        .answer("files", "hang", json!("silence"));
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let start = tokio::time::Instant::now();
    let text = failed(
        &exchange.call("mcp__files__hang", "{}").await,
        CallFailure::TimedOut,
    );
    assert!(
        text.contains("within 2 s") && text.contains("outcome is unknown"),
        "{text}"
    );
    assert_eq!(start.elapsed().as_millis(), 2000);

    let stop = CancellationToken::new();
    let call = exchange.call_with(
        "mcp__files__hang",
        "{}",
        CallOptions::new().cancel(stop.clone()),
    );
    let ((), result) = tokio::join!(
        async {
            while sandbox.fleet.calls("files").len() < 2 {
                tokio::task::yield_now().await;
            }
            stop.cancel();
        },
        call
    );
    failed(&result, CallFailure::Cancelled);
    // lif-20: the one that timed out and the one that was cancelled.
    while sandbox.fleet.cancelled("files") < 2 {
        tokio::task::yield_now().await;
    }
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn at_most_one_exchange_is_open() {
    let sandbox = Sandbox::new(ONE);
    sandbox
        .fleet
        .tools("files", &["read"])
        .plan("files", [Plan::Silent]);
    let session = sandbox.session();
    // A beginning that is dropped leaves none open.
    let begun =
        tokio::time::timeout(std::time::Duration::from_secs(1), session.begin_exchange()).await;
    assert!(begun.is_err());
    let exchange = session.begin_exchange().await.unwrap();
    assert!(matches!(
        session.begin_exchange().await,
        Err(BeginError::AlreadyOpen)
    ));
    drop(exchange);
    session.begin_exchange().await.unwrap().finish();
    session.close().await;
    assert!(matches!(
        session.begin_exchange().await,
        Err(BeginError::Closed)
    ));
}

#[tokio::test(start_paused = true)]
async fn output_schemas_are_advice_unless_the_host_enforces_or_ignores_them() {
    let tool = json!({"name": "sum", "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]}});
    for (policy, answer, expected) in [
        (OutputPolicy::Advise, json!({"total": "x"}), (false, 1)),
        (OutputPolicy::Advise, json!({"total": 1}), (false, 0)),
        (OutputPolicy::Enforce, json!({"total": "x"}), (true, 0)),
        (OutputPolicy::Enforce, json!({"total": 1}), (false, 0)),
        (OutputPolicy::Ignore, json!({"total": "x"}), (false, 0)),
        (OutputPolicy::Enforce, json!([1]), (true, 0)),
        (OutputPolicy::Advise, json!(null), (false, 1)),
        (OutputPolicy::Enforce, json!(null), (true, 0)),
    ] {
        let sandbox = Sandbox::new(ONE);
        sandbox.fleet.raw_tools("files", vec![tool.clone()]);
        sandbox.fleet.answer(
            "files",
            "sum",
            json!({"content": [], "structuredContent": answer}),
        );
        let session = sandbox.builder().output_schemas(policy).build();
        let exchange = session.begin_exchange().await.unwrap();
        let result = exchange.call("mcp__files__sum", "{}").await;
        assert_eq!(
            (result.is_error, result.warnings.len()),
            expected,
            "{policy:?} {answer}: {result:?}"
        );
        if result.is_error {
            let text = failed(&result, CallFailure::InvalidResult);
            assert!(
                text.starts_with("Invalid result for tools/call: structuredContent"),
                "{text}"
            );
        }
        session.close().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_has_to_fit_the_output_schema_that_its_server_has_now() {
    let sandbox = Sandbox::new(ONE);
    let tool = |member: &str| json!({"name": "sum", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "required": [member]}});
    sandbox.fleet.raw_tools("files", vec![tool("old")]).answer(
        "files",
        "sum",
        json!({"content": [], "structuredContent": {"new": 1}}),
    );
    let session = sandbox
        .builder()
        .output_schemas(OutputPolicy::Enforce)
        .build();
    let exchange = session.begin_exchange().await.unwrap();
    let text = failed(
        &exchange.call("mcp__files__sum", "{}").await,
        CallFailure::InvalidResult,
    );
    assert!(text.contains("old"), "{text}");
    sandbox.fleet.raw_tools("files", vec![tool("new")]);
    sandbox.fleet.list_changed("files");
    until(&session, "files", |status| status.listings == 2).await;
    let result = exchange.call("mcp__files__sum", "{}").await;
    assert!(!result.is_error, "{}", result.text());
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn an_output_schema_that_cannot_be_used_fails_no_call() {
    // sch-03, sch-21
    for unusable in [
        json!({"properties": {"s": {"$ref": "#/$defs/Gone"}}}),
        json!({"$schema": "https://schema.invalid/of-our-own"}),
    ] {
        let sandbox = Sandbox::new(ONE);
        let tool =
            json!({"name": "sum", "inputSchema": {"type": "object"}, "outputSchema": unusable});
        sandbox.fleet.raw_tools("files", vec![tool]);
        let session = sandbox
            .builder()
            .output_schemas(OutputPolicy::Enforce)
            .build();
        let exchange = session.begin_exchange().await.unwrap();
        for structured in [json!(null), json!({"s": 1})] {
            let answer = json!({"content": [{"type": "text", "text": "ok"}], "structuredContent": structured});
            sandbox.fleet.answer("files", "sum", answer);
            let result = exchange.call("mcp__files__sum", "{}").await;
            assert!(!result.is_error, "{unusable}: {}", result.text());
        }
        let notes = session.status()[0].notes.join("\n");
        assert!(notes.contains("outputSchema"), "{unusable}: {notes}");
        session.close().await;
    }
}

#[tokio::test(start_paused = true)]
async fn structured_content_may_be_null_where_the_output_schema_accepts_it() {
    let sandbox = Sandbox::new(ONE);
    let tool = json!({"name": "find", "inputSchema": {"type": "object"},
        "outputSchema": {"anyOf": [{"type": "object", "required": ["id"]}, {"type": "null"}]}});
    sandbox.fleet.raw_tools("files", vec![tool]);
    let session = sandbox
        .builder()
        .output_schemas(OutputPolicy::Enforce)
        .build();
    let exchange = session.begin_exchange().await.unwrap();
    for (structured, refused) in [(json!(null), false), (json!({}), true)] {
        let answer =
            json!({"content": [{"type": "text", "text": "none"}], "structuredContent": structured});
        sandbox.fleet.answer("files", "find", answer);
        let result = exchange.call("mcp__files__find", "{}").await;
        assert_eq!(result.is_error, refused, "{structured}: {}", result.text());
        assert!(result.warnings.is_empty(), "{:?}", result.warnings);
    }
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn names_and_revision_stay_with_the_tools() {
    let sandbox = Sandbox::new(r#""a": {"command": "a"}, "b": {"command": "b"}"#);
    sandbox.fleet.tools("a", &["x", "y"]).tools("b", &["z"]);
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let (first, revision) = (names(&exchange).join(" "), exchange.revision().to_owned());
    drop(exchange);

    // lif-38: another order of the same tools changes nothing.
    sandbox.fleet.tools("a", &["y", "x"]);
    sandbox.fleet.crash("a");
    reach(&session, "a", ServerState::Dropped).await;
    let exchange = session.begin_exchange().await.unwrap();
    reach(&session, "a", ServerState::Ready).await;
    drop(exchange);
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(
        (names(&exchange).join(" "), exchange.revision()),
        (first, revision.as_str())
    );
    drop(exchange);

    sandbox.fleet.raw_tools(
        "b",
        vec![json!({"name": "z", "description": "new", "inputSchema": {"type": "object"}})],
    );
    sandbox.fleet.list_changed("b");
    until(&session, "b", |status| status.listings == 2).await;
    let exchange = session.begin_exchange().await.unwrap();
    assert_ne!(exchange.revision(), revision);
    drop(exchange);

    // A session that resumes this one knows the names.
    let saved = serde_json::to_string(&session.name_table()).unwrap();
    session.close().await;
    let resumed = sandbox
        .builder()
        .names(serde_json::from_str(&saved).unwrap())
        .build();
    sandbox.fleet.plan("a", [Plan::Silent]);
    let exchange = resumed.begin_exchange().await.unwrap();
    assert_eq!(names(&exchange), ["mcp__b__z"]);
    // lif-39: history may speak of a server that is not there yet.
    let text = failed(
        &exchange.call("mcp__a__x", "{}").await,
        CallFailure::Unavailable,
    );
    assert!(text.contains("still connecting"), "{text}");
    resumed.close().await;
}

#[tokio::test(start_paused = true)]
async fn progress_of_a_call_reaches_the_host() {
    let sandbox = Sandbox::new(ONE);
    sandbox
        .fleet
        .tools("files", &["slow"])
        .answer("files", "slow", json!("progress"));
    let session = sandbox.session();
    let exchange = session.begin_exchange().await.unwrap();
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let told = std::sync::Arc::clone(&seen);
    let options = CallOptions::new()
        .on_progress(move |progress| told.lock().unwrap().push(progress.progress));
    assert!(
        !exchange
            .call_with("mcp__files__slow", "{}", options)
            .await
            .is_error
    );
    assert_eq!(*seen.lock().unwrap(), [1.0, 2.0]);
    session.close().await;
}

#[tokio::test(start_paused = true)]
async fn closing_ends_a_beginning_that_waits() {
    let sandbox = Sandbox::new(ONE);
    sandbox.fleet.plan("files", [Plan::Silent]);
    let session = sandbox.session();
    let (begun, _) = tokio::join!(session.begin_exchange(), async {
        reach(&session, "files", ServerState::Connecting).await;
        session.close().await
    });
    assert!(matches!(begun, Err(BeginError::Closed)), "{begun:?}");
    sandbox.fleet.all_ended("files").await;
}
