//! Any JSON as the parameters of each notification, before the answer to a call: progress, log entries, changes and
//! cancellations say what `serde_json` reads in them, and only a cancellation ends the call.

use std::sync::{Arc, Mutex};

use super::peer::{connect, no_arguments, paused};
use mcp_transport::{CallOptions, Era, Event, LogEntry, LogSource, Progress, RequestError};
use serde_json::Value;
use serde_json::value::RawValue;

const METHODS: [&str; 8] = [
    "progress",
    "message",
    "cancelled",
    "resources/updated",
    "tools/list_changed",
    "resources/list_changed",
    "prompts/list_changed",
    "tasks/status",
];

/// The first byte picks the notification, the others are its parameters, in which `@` stands for the id of the call.
pub(crate) fn run(bytes: &[u8]) {
    let Some((pick, text)) = bytes.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let method = METHODS[usize::from(*pick) % METHODS.len()];
    // A call is the second request of a connection.
    let text = text.replace(['\n', '\r'], " ").replace('@', "2");
    let Ok(params) = RawValue::from_string(text) else {
        return;
    };
    paused(notify(method, params.get()));
}

async fn notify(method: &'static str, params: &str) {
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/{method}\",\"params\":{params}}}\n"
    );
    let connecting = connect(Era::Initialize, usize::MAX, move |request| {
        let answer = || [line.as_bytes(), &request.result(r#"{"content":[]}"#)].concat();
        request.handshake().unwrap_or_else(answer)
    });
    let (connection, mut events) = connecting.await.expect("the handshake is a good one");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&heard);
    let options = CallOptions::default()
        .on_progress(move |progress| listener.lock().expect("no panic").push(progress));
    let result = connection.call_tool("t", &no_arguments(), options).await;
    match &result {
        Err(RequestError::CancelledByServer { .. }) => assert_eq!(method, "cancelled"),
        Err(error) => panic!("{error}"),
        Ok(_) => {}
    }
    let seen: Vec<_> = std::iter::from_fn(|| events.try_recv()).collect();
    // An object that serde_json takes too is understood, or reported.
    let params: Option<Value> = serde_json::from_str(params).ok().filter(Value::is_object);
    if let Some(params) = params {
        check(method, &params, &seen, &heard.lock().expect("no panic"));
    }
    connection.close().await;
}

fn check(method: &str, params: &Value, seen: &[Event], heard: &[Progress]) {
    let logs = seen.iter().filter_map(|event| match event {
        Event::Log(entry) => Some(entry),
        _ => None,
    });
    let logs: Vec<_> = logs.collect();
    let reported = logs.iter().any(|entry| entry.source == LogSource::Protocol);
    match method {
        "progress" => {
            for progress in heard {
                let number = params["progress"].as_f64().unwrap_or_default();
                assert_eq!(
                    (progress.progress, progress.total),
                    (number, params["total"].as_f64())
                );
                assert_eq!(progress.message.as_deref(), params["message"].as_str());
            }
            let odd = |member| !(params[member].is_null() || params[member].is_number());
            assert_eq!(
                reported,
                params["progressToken"].is_null() || odd("progress") || odd("total")
            );
            assert!(params["progressToken"] != 2 || heard.len() == 1);
        }
        "message" => check_log(params, &logs),
        "resources/updated" => {
            let uri = params["uri"].as_str();
            let told = seen.iter().any(|event| matches!(event, Event::ResourceUpdated { uri: told } if Some(&**told) == uri));
            assert_eq!(told, !reported);
        }
        "tools/list_changed" => assert!(matches!(seen, [Event::ToolsChanged])),
        "resources/list_changed" => assert!(matches!(seen, [Event::ResourcesChanged])),
        "prompts/list_changed" => assert!(matches!(seen, [Event::PromptsChanged])),
        _ => {}
    }
}

fn check_log(params: &Value, logs: &[&LogEntry]) {
    let [entry] = logs else { panic!("{logs:?}") };
    assert_eq!(entry.source, LogSource::Message);
    if let Some(level) = params["level"].as_str() {
        assert_eq!(entry.level, level);
    }
    if let Some(data) = params["data"].as_str() {
        assert_eq!(entry.data, data);
    }
    assert_eq!(entry.logger.is_some(), !params["logger"].is_null());
}
