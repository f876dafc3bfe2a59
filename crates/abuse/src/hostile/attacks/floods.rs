//! More than anybody asked for, over stdio.

use serde_json::{Value, json};

use super::{Attack, beside, forever, tool};

pub(super) fn attacks() -> Vec<Attack> {
    let mut attacks = output();
    attacks.extend(messages());
    attacks.extend(requests_and_silence());
    attacks
}

fn output() -> Vec<Attack> {
    vec![
        Attack::stdio(
            "stdout-noise",
            "lines on stdout that are no messages, without end",
            stdout_noise,
        )
        .times_out(),
        Attack::stdio(
            "stdout-line",
            "one line on stdout that never ends",
            stdout_line,
        )
        .ends("larger than")
        .large(),
        Attack::stdio("stderr-flood", "lines on stderr, without end", stderr_flood).times_out(),
        Attack::stdio(
            "stderr-line",
            "one line on stderr that never ends",
            stderr_line,
        )
        .times_out(),
    ]
}

fn messages() -> Vec<Attack> {
    let flood = |name, about, script| Attack::stdio(name, about, script).times_out();
    vec![
        flood(
            "list-changed",
            "tools/list_changed, without end",
            list_changed,
        ),
        flood(
            "updated",
            "resources/updated with ever new long URIs, without end",
            updated,
        ),
        flood(
            "log-entries",
            "log entries with a long text and logger, without end",
            log_entries,
        ),
        flood("progress", "progress of calls that never end", progress),
        flood(
            "stray-answers",
            "answers that nobody asked for, without end",
            stray_answers,
        ),
        flood(
            "batches",
            "arrays of 5,000,000 messages, without end",
            batches,
        )
        .large(),
    ]
}

fn requests_and_silence() -> Vec<Attack> {
    let flood = |name, about, script| Attack::stdio(name, about, script).times_out();
    vec![
        flood("requests", "requests to the host, without end", requests),
        flood(
            "requests-unread",
            "the same, and the answers are not read",
            requests_unread,
        ),
        Attack {
            argument: 6 << 20,
            ..flood(
                "deaf",
                "reads nothing more, while arguments of 6 MiB are sent",
                deaf,
            )
            .large()
        },
        Attack::stdio("crash-loop", "exits in every call", crash_loop).ends("exit status: 1"),
    ]
}

fn stdout_noise() -> Value {
    tool(beside(
        json!({ "stdout": { "text": "noise that is no message\n", "times": 1000 } }),
    ))
}

fn stderr_flood() -> Value {
    tool(beside(
        json!({ "stderr": { "text": "error: it goes on and on and on\n", "times": 1000 } }),
    ))
}

fn stderr_line() -> Value {
    tool(beside(json!({ "stderr": { "text": "x", "times": 65536 } })))
}

fn stdout_line() -> Value {
    tool(beside(json!({ "stdout": { "text": "x", "times": 65536 } })))
}

fn list_changed() -> Value {
    tool(beside(json!({ "changed": "tools" })))
}

fn updated() -> Value {
    let uri = json!({ "@concat": [long("file:///", 16384), { "@index": true }] });
    tool(beside(
        json!({ "notify": { "method": "notifications/resources/updated", "params": { "uri": uri } } }),
    ))
}

fn log_entries() -> Value {
    let entry =
        json!({ "level": "info", "logger": long("logger", 65536), "data": long("data", 65536) });
    tool(beside(json!({ "log": entry })))
}

fn progress() -> Value {
    tool(beside(
        json!({ "progress": { "progress": { "@index": true }, "message": long("still", 1024) } }),
    ))
}

fn stray_answers() -> Value {
    let id = json!({ "@concat": ["stray-", { "@index": true }] });
    tool(beside(
        json!({ "send": { "jsonrpc": "2.0", "id": id, "result": {} } }),
    ))
}

fn requests() -> Value {
    tool(beside(request()))
}

fn requests_unread() -> Value {
    tool(json!([forever(request())]))
}

fn request() -> Value {
    json!({ "send": { "jsonrpc": "2.0", "id": { "@index": true }, "method": "sampling/createMessage",
        "params": { "messages": [], "maxTokens": 1 } } })
}

fn batches() -> Value {
    let batch =
        json!([{ "text": "[{}" }, { "text": ",{}", "times": 5_000_000 }, { "text": "]\n" }]);
    tool(beside(json!({ "stdout": batch })))
}

fn crash_loop() -> Value {
    tool(json!({ "exit": 1 }))
}

fn deaf() -> Value {
    tool(json!([{ "stopReading": {} }]))
}

/// A text of about so many bytes.
fn long(start: &str, times: usize) -> Value {
    json!({ "@concat": [start, { "@repeat": { "text": "x", "times": times } }] })
}
