//! Many threads at once, in real time: calls beside crashes, replacements and changed lists.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use mcp_session::{CallFailure, Exchange, Session};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::support::Sandbox;

const CALLERS: usize = 16;
const CALLS: usize = 50;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_that_race_with_crashes_end_and_none_runs_twice() {
    let failures = race(|sandbox, session, round| match round % 3 {
        0 => sandbox.fleet.try_crash("files"),
        1 => session.refresh("files").unwrap(),
        _ => sandbox.fleet.try_list_changed("files"),
    });
    let expected = [CallFailure::Lost, CallFailure::Unavailable];
    let failures = failures.await;
    assert!(
        failures.iter().all(|failure| expected.contains(failure)),
        "{failures:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_replacement_costs_no_call() {
    let failures = race(|_, session, _| session.refresh("files").unwrap()).await;
    assert!(failures.is_empty(), "{failures:?}");
}

/// Many callers while `disturb` is done again and again; the failures of their calls.
async fn race(disturb: impl Fn(&Sandbox, &Session, usize)) -> Vec<CallFailure> {
    let sandbox = Sandbox::new(r#""files": {"command": "files"}"#);
    sandbox.fleet.tools("files", &["echo"]);
    let session = sandbox.session();
    let exchange = Arc::new(session.begin_exchange().await.unwrap());
    let mut callers = JoinSet::new();
    for caller in 0..CALLERS {
        callers.spawn(call(Arc::clone(&exchange), caller));
    }
    let mut failures = Vec::new();
    let all = async {
        for round in 0.. {
            match timeout(Duration::from_millis(1), callers.join_next()).await {
                Ok(Some(caller)) => failures.extend(caller.unwrap()),
                Ok(None) => break,
                Err(_) => disturb(&sandbox, &session, round),
            }
        }
    };
    timeout(Duration::from_mins(1), all)
        .await
        .expect("a call without an end");
    let ran = sandbox.fleet.calls("files");
    let numbers = ran
        .iter()
        .map(|(_, _, arguments)| arguments["n"].as_u64().unwrap());
    assert_eq!(
        numbers.collect::<HashSet<_>>().len(),
        ran.len(),
        "a call ran twice"
    );
    assert!(ran.len() + failures.len() >= CALLERS * CALLS);
    drop(exchange);
    session.close().await;
    sandbox.fleet.all_ended("files").await;
    failures
}

async fn call(exchange: Arc<Exchange>, caller: usize) -> Vec<CallFailure> {
    let mut failures = Vec::new();
    for call in 0..CALLS {
        let arguments = json!({"n": caller * CALLS + call}).to_string();
        let result = exchange.call("mcp__files__echo", &arguments).await;
        match result.failure {
            None => assert_eq!(result.text(), arguments),
            Some(failure) => failures.push(failure),
        }
    }
    failures
}
