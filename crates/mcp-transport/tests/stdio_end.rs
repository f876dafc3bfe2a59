//! How servers end, as processes: crashes, drops, and our own close.

#![cfg(all(feature = "stdio", unix))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod stdio_support;

use std::time::Duration;

use mcp_transport::process::EndStep;
use mcp_transport::{
    Connection, DropReason, Event, Events, MAX_MESSAGE, Mask, Options, RequestError,
};
use serde_json::{Value, json};
use stdio_support::{Fixture, alive, call, gone, quick, text_of, within};

/// A server whose tool `work` does these steps.
fn server(steps: &Value, rules: &Value) -> Value {
    let tools =
        ["work", "other"].map(|name| json!({ "name": name, "inputSchema": { "type": "object" } }));
    json!({ "tools": tools, "calls": { "work": steps, "other": { "text": "fine" } }, "rules": rules })
}

async fn connected(script: Value) -> (Fixture, Connection, Events) {
    let fixture = Fixture::new(script);
    let (connection, events) = fixture.connect(quick()).await.unwrap();
    (fixture, connection, events)
}

/// The reason of the drop, and what was logged before it.
async fn dropped(events: &mut Events) -> (std::sync::Arc<DropReason>, Vec<String>) {
    let mut logged = Vec::new();
    loop {
        match within("an event", events.recv()).await.unwrap() {
            Event::Dropped(reason) => return (reason, logged),
            Event::Log(entry) => logged.push(entry.data),
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_crash_in_a_call_fails_it_with_exit_status_and_stderr() {
    // lif-32
    let steps = json!([{ "stderr": "boot ok\nfatal: boom\n" }, { "exit": 7 }]);
    let (_fixture, connection, mut events) = connected(server(&steps, &json!([]))).await;
    let error = call(&connection, "work").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "connection dropped: server exited (exit status: 7); stderr: boot ok\nfatal: boom; \
         the outcome of the request is unknown"
    );
    assert!(connection.dropped());
    let (reason, logged) = dropped(&mut events).await;
    assert_eq!(reason.status().and_then(|status| status.code()), Some(7));
    assert_eq!(reason.stderr_tail(), Some("boot ok\nfatal: boom"));
    assert_eq!(logged, ["boot ok", "fatal: boom"]);
    let error = call(&connection, "other").await.unwrap_err();
    assert!(matches!(error, RequestError::Dropped { sent: false, .. }));
    let report = within("closing", connection.close()).await;
    assert_eq!(report.ended.unwrap().step, EndStep::Exited);
    assert_eq!(report.stderr, "boot ok\nfatal: boom");
}

#[tokio::test]
async fn a_killed_server_fails_running_and_later_calls() {
    // lif-32, lif-36
    let (_fixture, connection, mut events) =
        connected(server(&json!([{ "gate": "never" }]), &json!([]))).await;
    let pid = connection.process_id().unwrap();
    let killing = async {
        let pid = rustix::process::Pid::from_raw(pid.try_into().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    };
    let (error, ()) = tokio::join!(call(&connection, "work"), killing);
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("server exited (signal: 9 (SIGKILL))"),
        "{error}"
    );
    let (reason, _) = dropped(&mut events).await;
    assert!(matches!(*reason, DropReason::Exited { .. }));
    gone(pid).await;
}

#[tokio::test]
async fn what_was_written_before_an_exit_is_delivered_before_the_drop() {
    let burst = json!({ "repeat": { "times": 500, "do": { "log": { "level": "info", "data": { "@index": true } } } } });
    let steps = json!([burst, { "text": "last words" }, { "exit": 0 }]);
    for _ in 0..5 {
        let (_fixture, connection, mut events) = connected(server(&steps, &json!([]))).await;
        assert_eq!(text_of(call(&connection, "work").await), "last words");
        let (_, logged) = dropped(&mut events).await;
        assert_eq!(logged.len(), 500);
    }
}

#[tokio::test]
async fn a_server_that_closes_its_output_and_lives_is_dropped_and_ended() {
    let rules = json!([{ "when": "eof", "do": [] }, { "when": "SIGTERM", "do": [] }]);
    let steps = json!([{ "stderr": "going silent\n" }, "closeStdout"]);
    let (_fixture, connection, mut events) = connected(server(&steps, &rules)).await;
    let pid = connection.process_id().unwrap();
    let error = call(&connection, "work").await.unwrap_err().to_string();
    assert!(
        error.starts_with("connection dropped: server closed its output; stderr: going silent"),
        "{error}"
    );
    assert!(matches!(
        *dropped(&mut events).await.0,
        DropReason::ClosedOutput { .. }
    ));
    // Nobody has to close it.
    gone(pid).await;
    let report = within("closing", connection.close()).await;
    assert_eq!(report.ended.unwrap().step, EndStep::Killed);
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipes_does_not_hide_the_exit() {
    let spawn = json!({ "spawn": { "name": "child", "ignore": ["SIGTERM"], "hold": ["stdout", "stderr"] } });
    let steps = json!([spawn, { "notify": { "method": "notifications/message",
        "params": { "level": "info", "data": { "@child": "child" } } } }, { "exit": 3 }]);
    let (_fixture, connection, mut events) = connected(server(&steps, &json!([]))).await;
    let error = call(&connection, "work").await.unwrap_err().to_string();
    assert!(error.contains("server exited (exit status: 3)"), "{error}");
    let (_, logged) = dropped(&mut events).await;
    let child: u32 = logged[0].parse().unwrap();
    gone(child).await;
}

#[tokio::test]
async fn a_message_that_is_too_large_ends_the_server() {
    // std-09
    let flood = json!({ "stdout": { "text": "aaaaaaaaaaaaaaaa", "times": 4 << 20 } });
    let rules = json!([{ "when": "eof", "do": [] }, { "when": "SIGTERM", "do": [] }]);
    let (_fixture, connection, mut events) = connected(server(&json!([flood]), &rules)).await;
    let pid = connection.process_id().unwrap();
    let error = call(&connection, "work").await.unwrap_err().to_string();
    assert!(error.contains("message larger than 16 MiB"), "{error}");
    assert!(matches!(
        *dropped(&mut events).await.0,
        DropReason::TooLarge { limit: MAX_MESSAGE }
    ));
    gone(pid).await;
}

#[tokio::test]
async fn standard_error_is_drained_and_its_tail_bounded() {
    // std-09, std-11, std-13
    let cases = [
        json!({ "stderr": { "text": "a line of log text\n", "times": 15_000 } }),
        json!({ "stderr": { "text": "\r10% of the work", "times": 15_000 } }),
        json!({ "stderr": { "text": "aaaaaaaaaaaaaaaa", "times": 1 << 20 } }),
        json!({ "stderr": { "text": "aaaaaaaaaaaaaa–\u{1f980}", "times": 1 << 14 } }),
        json!({ "stderr": { "hex": "c7d1ff00", "times": 1 << 16 } }),
    ];
    for noise in cases {
        let steps = json!([noise, { "text": "done" }]);
        let (_fixture, connection, mut events) = connected(server(&steps, &json!([]))).await;
        assert_eq!(text_of(call(&connection, "work").await), "done");
        assert_eq!(text_of(call(&connection, "other").await), "fine");
        let report = within("closing", connection.close()).await;
        assert!(
            !report.stderr.is_empty() && report.stderr.len() <= 3 * 8 * 1024,
            "{noise}"
        );
        while let Some(event) = events.recv().await {
            let Event::Log(entry) = event else { continue };
            assert!(entry.data.len() <= 3 * 8 * 1024 + 3);
        }
    }
}

#[tokio::test]
async fn secrets_in_standard_error_are_masked_also_where_lines_are_cut() {
    let secret = "0123456789-secret-9876543210";
    let long = "x".repeat(8 * 1024 - 10);
    let lines =
        json!({ "stderr": { "text": format!("{long}{secret}\nkey={secret}\n"), "times": 3 } });
    let script = server(&json!([lines, { "exit": 1 }]), &json!([]));
    let fixture = Fixture::new(script);
    let options = quick().mask(Mask::new([secret]));
    let (connection, mut events) = fixture.connect(options).await.unwrap();
    let error = call(&connection, "work").await.unwrap_err().to_string();
    let (reason, logged) = dropped(&mut events).await;
    for text in logged.iter().chain([&error, &reason.to_string()]) {
        assert!(
            !text.contains("0123") && !text.contains("secret-"),
            "{}",
            &text[text.len() - 80..]
        );
    }
    assert_eq!(logged[1], "key=[SECRET]");
    assert!(reason.stderr_tail().unwrap().ends_with("key=[SECRET]"));
}

#[tokio::test]
async fn a_server_that_ends_with_its_input_needs_no_signal() {
    // std-18
    let (fixture, connection, mut events) = connected(server(&json!([]), &json!([]))).await;
    let pid = connection.process_id().unwrap();
    let report = within("closing", connection.close()).await;
    let ended = report.ended.unwrap();
    assert_eq!(ended.step, EndStep::Exited);
    assert!(ended.status.unwrap().success());
    assert!(!alive(pid));
    assert!(
        fixture
            .journal()
            .iter()
            .all(|line| line.get("signal").is_none())
    );
    assert!(events.recv().await.is_none());
    assert_eq!(within("closing again", connection.close()).await, report);
}

#[tokio::test]
async fn a_server_that_ignores_everything_is_killed_with_its_children() {
    // std-17
    let rules = json!([{ "when": "eof", "do": [] }, { "when": "SIGTERM", "do": [] },
        { "when": "start", "do": { "spawn": { "name": "child", "ignore": ["SIGTERM"], "hold": ["stdout", "stderr"] } } }]);
    let (fixture, connection, _events) =
        connected(server(&json!({ "text": { "@child": "child" } }), &rules)).await;
    let child: u32 = text_of(call(&connection, "work").await).parse().unwrap();
    let pid = connection.process_id().unwrap();
    let report = within("closing", connection.close()).await;
    assert_eq!(report.ended.unwrap().step, EndStep::Killed);
    assert!(!alive(pid));
    gone(child).await;
    assert!(fixture.journal().contains(&json!({ "signal": "SIGTERM" })));
}

#[tokio::test]
async fn a_server_that_heeds_the_signal_is_not_killed() {
    let rules = json!([{ "when": "eof", "do": [] }]);
    let (_fixture, connection, _events) = connected(server(&json!([]), &rules)).await;
    let report = within("closing", connection.close()).await;
    assert_eq!(report.ended.unwrap().step, EndStep::Terminated);
}

#[tokio::test]
async fn a_close_goes_on_when_its_future_is_dropped_and_running_calls_fail() {
    let rules = json!([{ "when": "eof", "do": [] }]);
    let (_fixture, connection, _events) =
        connected(server(&json!([{ "gate": "never" }]), &rules)).await;
    let pid = connection.process_id().unwrap();
    let close = async {
        tokio::task::yield_now().await;
        let _ = tokio::time::timeout(Duration::ZERO, connection.close()).await;
    };
    let (lost, ()) = tokio::join!(call(&connection, "work"), close);
    assert!(matches!(lost, Err(RequestError::Closed)));
    gone(pid).await;
}

#[tokio::test]
async fn a_server_that_stops_reading_blocks_neither_calls_nor_close() {
    let steps = json!([{ "text": "from here on deaf" }, { "stopReading": {} }]);
    let rules = json!([{ "when": "SIGTERM", "do": [] }]);
    let (_fixture, connection, _events) = connected(server(&steps, &rules)).await;
    text_of(call(&connection, "work").await);
    let large = serde_json::value::to_raw_value(&"x".repeat(2 << 20)).unwrap();
    let options = mcp_transport::CallOptions::new().timeout(Duration::from_millis(100));
    let error = connection
        .call_tool("other", &large, options)
        .await
        .unwrap_err();
    assert!(matches!(error, RequestError::Timeout { .. }));
    let report = within("closing", connection.close()).await;
    assert_eq!(report.ended.unwrap().step, EndStep::Killed);
}

#[tokio::test]
async fn the_last_handle_kills_the_server_also_outside_a_runtime() {
    let rules = json!([{ "when": "eof", "do": [] }, { "when": "SIGTERM", "do": [] }]);
    let script = server(&json!([]), &rules);
    let pid = tokio::task::spawn_blocking(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let fixture = Fixture::new(script);
        let (connection, events) = runtime
            .block_on(fixture.connect(Options::default()))
            .unwrap();
        let pid = connection.process_id().unwrap();
        // The runtime lives, but nobody polls it any more.
        drop((connection, events));
        for _ in 0..5000 {
            if !alive(pid) {
                return pid;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        pid
    });
    assert!(!alive(pid.await.unwrap()));
}

#[tokio::test]
async fn a_signal_to_the_hosts_own_group_does_not_reach_the_server() {
    // std-19
    let (_fixture, connection, _events) =
        connected(server(&json!({ "text": { "@pid": true } }), &json!([]))).await;
    let pid = connection.process_id().unwrap();
    let group = |pid: u32| {
        let pid = rustix::process::Pid::from_raw(pid.try_into().unwrap()).unwrap();
        rustix::process::getpgid(Some(pid)).unwrap()
    };
    assert_ne!(group(pid), group(std::process::id()));
    assert_eq!(
        group(pid).as_raw_nonzero().get(),
        i32::try_from(pid).unwrap()
    );
    connection.close().await;
}
