//! Deadlines, progress and cancellation, on paused time.

mod support;

use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use mcp_transport::{CallOptions, MAX_REQUEST, Options, REQUEST_TIMEOUT, RequestError};
use serde_json::{Value, json};
use support::{call, call_with, connected, connected_with, raw, text, text_of};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

async fn progress(peer: &mut support::Peer, request: &Value, progress: u64) {
    let token = &request["params"]["_meta"]["progressToken"];
    let params = json!({ "progressToken": token, "progress": progress, "message": "at work" });
    peer.notify("notifications/progress", params).await;
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_fails_the_request_and_is_told() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let start = Instant::now();
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!(error.to_string(), "no answer to tools/call within 60 s");
    assert_eq!(start.elapsed().as_secs(), REQUEST_TIMEOUT.as_secs());
    let cancelled = peer.expect("notifications/cancelled").await;
    assert_eq!(
        cancelled["params"],
        json!({ "requestId": request["id"], "reason": "no answer in time" })
    );
}

#[tokio::test(start_paused = true)]
async fn progress_keeps_a_call_alive_up_to_the_limit() {
    // lif-21
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let options = CallOptions::new().on_progress(move |progress| {
        sink.lock()
            .unwrap()
            .push((progress.progress, progress.message));
    });
    let answer = call_with(&connection, options);
    let request = peer.expect("tools/call").await;
    for step in 0..80 {
        sleep(seconds(1)).await;
        progress(&mut peer, &request, step).await;
    }
    sleep(seconds(59)).await;
    peer.result(&request, text("done")).await;
    assert_eq!(text_of(answer.await.unwrap()), "done");
    {
        let seen = seen.lock().unwrap();
        assert_eq!(seen.len(), 80);
        assert_eq!(seen[79], (79.0, Some("at work".to_owned())));
    }

    let start = Instant::now();
    let mut answer = call(&connection);
    let request = peer.expect("tools/call").await;
    let error = loop {
        tokio::select! {
            error = &mut answer => break error.unwrap().unwrap_err(),
            () = sleep(seconds(50)) => progress(&mut peer, &request, 1).await,
        }
    };
    assert_eq!(error.to_string(), "no answer to tools/call within 600 s");
    assert_eq!(start.elapsed().as_secs(), MAX_REQUEST.as_secs());
}

#[tokio::test(start_paused = true)]
async fn odd_numbers_of_progress_cost_only_themselves() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let options = CallOptions::new().on_progress(move |progress| {
        sink.lock()
            .unwrap()
            .push((progress.progress, progress.total));
    });
    let answer = call_with(&connection, options);
    let request = peer.expect("tools/call").await;
    let token = &request["params"]["_meta"]["progressToken"];
    for (progress, total) in [
        (json!("half"), json!(2)),
        (json!(1), json!("2")),
        (json!(2), json!(null)),
    ] {
        sleep(seconds(50)).await;
        let params = json!({ "progressToken": token, "progress": progress, "total": total });
        peer.notify("notifications/progress", params).await;
    }
    sleep(seconds(50)).await;
    peer.result(&request, text("done")).await;
    answer.await.unwrap().unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        [(0.0, Some(2.0)), (1.0, None), (2.0, None)]
    );
    assert_eq!(connection.stats().malformed, 2);
}

#[tokio::test(start_paused = true)]
async fn long_texts_of_progress_do_not_pile_up_before_a_caller_that_is_busy() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let seen = Arc::new(Mutex::new(0));
    let sink = Arc::clone(&seen);
    let options = CallOptions::new().on_progress(move |_| *sink.lock().unwrap() += 1);
    let arguments = raw("{}");
    let mut call = std::pin::pin!(connection.call_tool("work", &arguments, options));
    let request = tokio::select! {
        biased;
        answer = &mut call => panic!("{answer:?}"),
        request = peer.expect("tools/call") => request,
    };
    let token = &request["params"]["_meta"]["progressToken"];
    for step in 0..10 {
        let message = "x".repeat(200 * 1024);
        let params = json!({ "progressToken": token, "progress": step, "message": message });
        peer.notify("notifications/progress", params).await;
    }
    peer.notify("notifications/tools/list_changed", json!({}))
        .await;
    // All of them were read once this is there, and the caller has not looked yet.
    assert!(events.recv().await.is_some());
    peer.result(&request, text("done")).await;
    assert_eq!(text_of(call.await), "done");
    assert_eq!(*seen.lock().unwrap(), 5);
}

#[tokio::test(start_paused = true)]
async fn limits_can_be_settled_for_one_call() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let start = Instant::now();
    let error = call_with(&connection, CallOptions::new().timeout(seconds(3)))
        .await
        .unwrap();
    assert!(matches!(error, Err(RequestError::Timeout { after, .. }) if after == seconds(3)));
    assert_eq!(start.elapsed().as_secs(), 3);

    let options = CallOptions::new().timeout(seconds(3)).max_total(seconds(5));
    let answer = call_with(&connection, options);
    peer.expect("tools/call").await;
    peer.expect("notifications/cancelled").await;
    let request = peer.expect("tools/call").await;
    let start = Instant::now();
    sleep(seconds(2)).await;
    progress(&mut peer, &request, 1).await;
    let error = answer.await.unwrap();
    assert!(matches!(error, Err(RequestError::Timeout { after, .. }) if after == seconds(5)));
    assert_eq!(start.elapsed().as_secs(), 5);

    let answer = call_with(
        &connection,
        CallOptions::new()
            .timeout(Duration::MAX)
            .max_total(Duration::MAX),
    );
    peer.expect("notifications/cancelled").await;
    let request = peer.expect("tools/call").await;
    sleep(seconds(100_000)).await;
    peer.result(&request, text("patient")).await;
    assert_eq!(text_of(answer.await.unwrap()), "patient");
}

#[tokio::test(start_paused = true)]
async fn a_blocked_pipe_holds_up_neither_deadline_nor_cancellation_nor_close() {
    // lif-20
    let tools = json!({ "tools": {} });
    let (connection, _events, mut peer) = connected_with(Options::default(), tools, 512).await;
    let large = raw(&format!("\"{}\"", "x".repeat(3 << 20)));
    let start = Instant::now();
    let blocked = connection.call_tool("work", &large, CallOptions::new());
    assert!(matches!(blocked.await, Err(RequestError::Timeout { .. })));
    assert_eq!(start.elapsed().as_secs(), 60);

    // The pipe is full, and so is the queue behind it: callers wait for room, within their limits.
    let token = CancellationToken::new();
    let waiting = call_with(&connection, CallOptions::new().cancel(token.clone()));
    sleep(seconds(1)).await;
    assert!(!waiting.is_finished());
    token.cancel();
    assert!(matches!(
        waiting.await.unwrap(),
        Err(RequestError::Cancelled { .. })
    ));
    let closing = Instant::now();
    connection.close().await;
    assert_eq!(closing.elapsed().as_secs(), 0);

    // A line once begun is finished, or cut by the end; nothing is mixed into it.
    let mut rest = String::new();
    while let Ok(line) = tokio::time::timeout(seconds(1), peer.raw_line()).await {
        let Some(line) = line else { break };
        rest = line;
    }
    assert!(rest.starts_with(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call""#));
    assert!(rest.ends_with('x'));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_still_waits_in_the_queue_is_taken_back() {
    let tools = json!({ "tools": {} });
    let (connection, _events, mut peer) = connected_with(Options::default(), tools, 512).await;
    let large = raw(&format!("\"{}\"", "x".repeat(100_000)));
    let (first, second) = (connection.clone(), connection.clone());
    let first =
        support::spawn(async move { first.call_tool("first", &large, CallOptions::new()).await });
    tokio::task::yield_now().await;
    let second = support::spawn(async move {
        second
            .call_tool("second", &raw("{}"), CallOptions::new())
            .await
    });
    sleep(seconds(1)).await;
    second.abort();
    let _ = second.await;
    let third = call(&connection);
    let request = peer.expect("tools/call").await;
    assert_eq!(request["params"]["name"], "first");
    peer.result(&request, text("1")).await;
    let request = peer.expect("tools/call").await;
    assert_eq!(request["params"]["name"], "work");
    peer.result(&request, text("3")).await;
    assert_eq!(text_of(first.await.unwrap()), "1");
    assert_eq!(text_of(third.await.unwrap()), "3");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_is_cancelled_at_the_server() {
    // lif-20
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let token = CancellationToken::new();
    let by_token = call_with(&connection, CallOptions::new().cancel(token.clone()));
    let first = peer.expect("tools/call").await;
    token.cancel();
    assert!(matches!(
        by_token.await.unwrap(),
        Err(RequestError::Cancelled { .. })
    ));
    let cancelled = peer.expect("notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], first["id"]);
    assert_eq!(cancelled["params"]["reason"], "cancelled by the caller");

    let dropped = call(&connection);
    let second = peer.expect("tools/call").await;
    dropped.abort();
    let cancelled = peer.expect("notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], second["id"]);
    assert_eq!(cancelled["params"]["reason"], "abandoned by the caller");
    assert_eq!(connection.stats().pending, 0);

    // An answered call is not cancelled.
    let answered = call(&connection);
    let third = peer.expect("tools/call").await;
    peer.result(&third, text("done")).await;
    answered.await.unwrap().unwrap();
    peer.silent(seconds(5)).await;
}

#[tokio::test(start_paused = true)]
async fn a_token_that_is_cancelled_already_still_ends_the_call() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let token = CancellationToken::new();
    token.cancel();
    let call = call_with(&connection, CallOptions::new().cancel(token));
    assert!(matches!(
        call.await.unwrap(),
        Err(RequestError::Cancelled { .. })
    ));
    let request = peer.expect("tools/call").await;
    let cancelled = peer.expect("notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], request["id"]);
}

#[tokio::test(start_paused = true)]
async fn the_server_can_give_a_request_up() {
    // lif-19
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let start = Instant::now();
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    peer.notify(
        "notifications/cancelled",
        json!({ "requestId": 77, "reason": "unknown" }),
    )
    .await;
    let params = json!({ "requestId": request["id"], "reason": "shutting down" });
    peer.notify("notifications/cancelled", params).await;
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server cancelled tools/call: shutting down"
    );
    assert_eq!(start.elapsed().as_secs(), 0);
    peer.silent(seconds(5)).await;
}

#[tokio::test(start_paused = true)]
async fn each_request_has_a_progress_token_of_its_own() {
    // lif-21
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let _calls = [call(&connection), call(&connection)];
    let tokens = [
        peer.expect("tools/call").await["params"]["_meta"]["progressToken"].clone(),
        peer.expect("tools/call").await["params"]["_meta"]["progressToken"].clone(),
    ];
    assert_ne!(tokens[0], tokens[1]);
    assert!(tokens.iter().all(Value::is_number));
}

#[tokio::test]
async fn requests_that_leave_together_keep_their_order_and_can_be_taken_back() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let names: Vec<String> = (0..100).map(|number| format!("t{number}")).collect();
    let arguments = raw("{}");
    let mut calls: Vec<_> = names
        .iter()
        .map(|name| Box::pin(connection.call_tool(name, &arguments, CallOptions::new())))
        .collect();
    poll_fn(|cx| {
        assert!(
            calls
                .iter_mut()
                .all(|call| call.as_mut().poll(cx).is_pending())
        );
        Poll::Ready(())
    })
    .await;
    // The first ones left at once; this one still waits for the others' company.
    drop(calls.remove(50));
    let serve = async {
        for name in names.iter().filter(|name| *name != "t50") {
            let request = peer.expect("tools/call").await;
            assert_eq!(request["params"]["name"], *name);
            peer.result(&request, text(name)).await;
        }
    };
    let ask = async {
        for call in calls {
            call.await.unwrap();
        }
    };
    tokio::join!(ask, serve);
    peer.silent(Duration::from_millis(20)).await;
    assert_eq!(connection.stats().pending, 0);
}
