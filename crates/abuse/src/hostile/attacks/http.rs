//! What only a server over HTTP can do.

use serde_json::{Value, json};

use super::{Attack, forever, tool};

pub(super) fn attacks() -> Vec<Attack> {
    vec![
        Attack::http("slow-body", "a body that comes byte by byte", slow_body).times_out(),
        Attack::http(
            "slow-head",
            "headers that come one by one, without end",
            slow_head,
        )
        .times_out(),
        Attack::http("endless-body", "a body of JSON without end", endless_body)
            .ends("larger than")
            .large(),
        Attack::http("endless-error", "an error page without end", endless_error).ends("500"),
        Attack::http("gzip-bomb", "64 MiB in a compressed body", gzip_bomb)
            .ends("larger than")
            .large(),
        Attack::http(
            "gzip-bomb-error",
            "the same as the body of an error",
            gzip_bomb_error,
        )
        .ends("500"),
        Attack::http(
            "sse-comments",
            "an event stream of comments, without end",
            sse_comments,
        )
        .times_out(),
        Attack::http(
            "sse-events",
            "an event stream of notifications, without end",
            sse_events,
        )
        .times_out(),
        Attack::http("sse-line", "an event that never ends", sse_line)
            .ends("larger than")
            .large(),
        Attack::http("sse-empty", "empty events, without end", sse_empty).times_out(),
        Attack::http("huge-header", "a header of 1 MiB", huge_header).ends("failed"),
        Attack::http("many-headers", "5,000 headers", many_headers).ends("failed"),
        Attack::http("redirects", "a redirect to itself", redirects).ends("redirect"),
        Attack::http(
            "listen-flood",
            "list_changed on the listening stream, without end",
            listen_flood,
        ),
        Attack::http(
            "listen-again",
            "a listening stream that ends at once, again and again",
            listen_again,
        ),
    ]
}

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

fn http(steps: Value) -> Value {
    let mut script = tool(steps);
    script["http"] = json!({});
    script
}

fn slow_body() -> Value {
    let head = format!("{HEAD}Content-Length: 1000000\r\n\r\n");
    http(json!([{ "socket": head }, forever(json!([{ "socket": " " }, { "sleepMs": 20 }]))]))
}

fn slow_head() -> Value {
    let header = forever(json!([{ "socket": "X-More: x\r\n" }, { "sleepMs": 20 }]));
    http(json!([{ "socket": "HTTP/1.1 200 OK\r\n" }, header]))
}

fn endless_body() -> Value {
    let head = format!("{HEAD}Connection: close\r\n\r\n{{");
    http(json!([{ "socket": head }, forever(json!({ "socket": { "text": " ", "times": 65536 } }))]))
}

fn endless_error() -> Value {
    let head = "HTTP/1.1 500 Oh\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<p>";
    http(json!([{ "socket": head }, forever(json!({ "socket": { "text": "x", "times": 65536 } }))]))
}

fn bomb(status: u16) -> Value {
    let headers = json!({ "Content-Type": "application/json" });
    let body = json!({ "text": " ", "times": 64 << 20 });
    http(json!({ "respond": { "status": status, "headers": headers, "body": body, "gzip": true } }))
}

fn gzip_bomb() -> Value {
    bomb(200)
}

fn gzip_bomb_error() -> Value {
    bomb(500)
}

fn written(text: &str, times: usize) -> Value {
    json!({ "write": { "text": text, "times": times } })
}

fn sse_comments() -> Value {
    http(forever(written(": still here\n\n", 1000)))
}

fn sse_events() -> Value {
    let event = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n";
    http(forever(written(event, 1000)))
}

fn sse_line() -> Value {
    http(json!([{ "write": "data: " }, forever(written("x", 65536))]))
}

fn sse_empty() -> Value {
    http(forever(written("id: 1\ndata:\n\n", 1000)))
}

fn respond(headers: Value) -> Value {
    http(json!({ "respond": { "status": 200, "headers": headers, "json": {} } }))
}

fn huge_header() -> Value {
    respond(json!({ "X-Big": "x".repeat(1 << 20) }))
}

fn many_headers() -> Value {
    let headers: serde_json::Map<String, Value> = (0..5000)
        .map(|number| (format!("X-Header-{number}"), json!("x")))
        .collect();
    respond(Value::Object(headers))
}

fn redirects() -> Value {
    http(json!({ "respond": { "status": 307, "headers": { "Location": "/mcp" } } }))
}

/// The tool answers; the attack is on the stream that the host opens by itself.
fn listening(steps: Value) -> Value {
    let mut script = http(json!([{ "sleepMs": 1500 }, { "text": "fine" }]));
    script["rules"] = json!([{ "when": "GET", "do": steps }]);
    script
}

fn listen_flood() -> Value {
    let event = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n";
    listening(forever(written(event, 1000)))
}

fn listen_again() -> Value {
    listening(json!([{ "write": "retry: 0\nid: 1\n\n" }, "endStream"]))
}
