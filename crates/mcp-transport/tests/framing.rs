//! How messages are cut out of what a server writes, and what else it may write there.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod support;

use std::time::{Duration, Instant};

use mcp_transport::{DropReason, Event, LogSource, MAX_MESSAGE, Options, RequestError, Stats};
use serde_json::json;
use support::{call, connected, connected_with, logs, text, text_of};

/// Calls a tool; the server writes `bytes`, in which `@` stands for the answer `text`.
async fn answered(bytes: &[u8], piece: usize, expected: &str) -> Stats {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    let message = json!({ "jsonrpc": "2.0", "id": request["id"], "result": text("done – 🦀") });
    let at = bytes.iter().position(|byte| *byte == b'@').unwrap();
    let all = [
        &bytes[..at],
        message.to_string().as_bytes(),
        &bytes[at + 1..],
    ]
    .concat();
    for piece in all.chunks(piece) {
        peer.bytes(piece).await;
        tokio::task::yield_now().await;
    }
    assert_eq!(text_of(answer.await.unwrap()), expected);
    connection.stats()
}

#[tokio::test]
async fn an_answer_is_found_among_whatever_else_is_written() {
    // std-02, std-03, std-05, std-06; (what is written, blank lines, noise lines, malformed)
    let cases: [(&[u8], u64, u64, u64); 18] = [
        (b"@\n", 0, 0, 0),
        (b"@\r\n", 0, 0, 0),
        (b"debug: step 1\n@\n", 0, 1, 0),
        (b"\n   \n\t\n\r\n@\n", 4, 0, 0),
        (b"\xef\xbb\xbf@\n", 0, 0, 0),
        (b"\xef\xbb\xbf\n  @  \n", 1, 0, 0),
        (b"[info] ready\n@\n", 0, 1, 0),
        (
            b"{\"level\":\"info\",\"id\":2,\"msg\":\"ready\"}\n@\n",
            0,
            1,
            0,
        ),
        (b"\"text\"\n17\nnull\n[1,2]\n[]\n@\n", 0, 5, 0),
        (b"\x00\x01\xff\xfe\x80\n@\n", 0, 1, 0),
        (b"loading... @\n", 0, 1, 0),
        (b"@ done\n", 0, 1, 0),
        (b"@\0\n", 0, 1, 0),
        (b"{\"level\":\"info\"} @\n", 0, 1, 0),
        (
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}@\n",
            0,
            0,
            0,
        ),
        (b"@{\"jsonrpc\":\"2.0\",\"id\":9,\"resul\n", 0, 0, 1),
        (b"{\"level\":\"info\"}loading... @ {}\n", 0, 2, 0),
        (
            b"{\"jsonrpc\":\"2.0\"}\n{\"jsonrpc\":\"2.0\",\"x\":[1,}\n@\n",
            0,
            0,
            2,
        ),
    ];
    for (bytes, blank, noise, malformed) in cases {
        for piece in [1, usize::MAX] {
            let stats = answered(bytes, piece, "done – 🦀").await;
            let counted = (stats.blank_lines, stats.noise_lines, stats.malformed);
            assert_eq!(
                counted,
                (blank, noise, malformed),
                "{:?}",
                String::from_utf8_lossy(bytes)
            );
        }
    }
}

#[tokio::test]
async fn noise_is_shown_as_a_log_entry() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    peer.line("debug: step 1").await;
    let Some(Event::Log(entry)) = events.recv().await else {
        panic!("no log entry")
    };
    assert_eq!(
        (entry.source, entry.data.as_str()),
        (LogSource::Stdout, "debug: step 1")
    );
    assert_eq!(
        (
            connection.stats().noise_lines,
            connection.stats().noise_bytes
        ),
        (1, 13)
    );
}

#[tokio::test]
async fn invalid_utf8_is_read_with_replacement_characters() {
    // std-07
    let (connection, _events, mut peer) = connected(Options::default()).await;
    for _ in 0..2 {
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        let message = json!({ "jsonrpc": "2.0", "id": request["id"], "result": text("<>") });
        let message = message.to_string();
        let (before, after) = message.split_once("<>").unwrap();
        peer.bytes(&[before.as_bytes(), b"\xc7\xd1", after.as_bytes(), b"\n"].concat())
            .await;
        assert_eq!(text_of(answer.await.unwrap()), "\u{fffd}\u{fffd}");
    }
    assert_eq!(connection.stats().invalid_utf8, 2);
}

#[tokio::test]
async fn long_lines_arrive_whole_however_they_are_split() {
    // std-08, std-10
    for piece in [1 << 16, (4 << 20) + 1, usize::MAX] {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        let long = "x".repeat(5 << 20);
        let message = json!({ "jsonrpc": "2.0", "id": request["id"], "result": text(&long) });
        for piece in format!("{message}\n").as_bytes().chunks(piece) {
            peer.bytes(piece).await;
        }
        assert_eq!(text_of(answer.await.unwrap()).len(), long.len());
    }
}

#[tokio::test]
async fn output_without_an_end_drops_the_connection_but_not_the_message_before_it() {
    // std-09
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let (answered, lost) = (call(&connection), call(&connection));
    let request = peer.expect("tools/call").await;
    peer.expect("tools/call").await;
    let mut bytes = json!({ "jsonrpc": "2.0", "id": request["id"], "result": text("in time") })
        .to_string()
        .into_bytes();
    bytes.push(b'\n');
    bytes.resize(bytes.len() + MAX_MESSAGE + 2, b'a');
    peer.bytes(&bytes).await;
    assert_eq!(text_of(answered.await.unwrap()), "in time");
    let error = lost.await.unwrap().unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("connection dropped: message larger than 16 MiB"),
        "{error}"
    );
    assert!(connection.dropped());
    let Some(Event::Dropped(reason)) = events.recv().await else {
        panic!("no drop")
    };
    assert!(matches!(
        *reason,
        DropReason::TooLarge { limit: MAX_MESSAGE }
    ));
    assert!(events.recv().await.is_none());
}

#[tokio::test]
async fn a_request_that_is_too_large_is_refused_before_its_first_byte() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let arguments = support::raw(&format!("\"{}\"", "x".repeat(MAX_MESSAGE)));
    let call = connection.call_tool("work", &arguments, mcp_transport::CallOptions::new());
    let error = call.await.unwrap_err();
    assert!(
        matches!(
            error,
            RequestError::TooLarge {
                limit: MAX_MESSAGE,
                ..
            }
        ),
        "{error}"
    );
    let after = support::call(&connection);
    let request = peer.expect("tools/call").await;
    assert_eq!(request["params"]["arguments"], json!({}));
    peer.result(&request, text("fine")).await;
    assert_eq!(text_of(after.await.unwrap()), "fine");
}

#[tokio::test]
async fn a_request_of_full_size_fits_and_its_line_breaks_do_not_end_it() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    let arguments = support::raw(&format!(
        "{{\n  \"text\":\r\n \"{}\"\n}}",
        "x".repeat(MAX_MESSAGE - 200)
    ));
    let call = connection.call_tool("work", &arguments, mcp_transport::CallOptions::new());
    let serve = async {
        let request = peer.expect("tools/call").await;
        let length = request["params"]["arguments"]["text"]
            .as_str()
            .unwrap()
            .len();
        peer.result(&request, text(&length.to_string())).await;
    };
    let (answer, ()) = tokio::join!(call, serve);
    assert_eq!(text_of(answer), (MAX_MESSAGE - 200).to_string());
}

#[tokio::test]
async fn the_messages_of_a_batch_are_taken_one_by_one() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let answers = [call(&connection), call(&connection)];
    let requests = [
        peer.expect("tools/call").await,
        peer.expect("tools/call").await,
    ];
    peer.message(json!([
        { "jsonrpc": "2.0", "id": requests[1]["id"], "result": text("second") },
        { "jsonrpc": "2.0", "method": "notifications/message", "params": { "level": "error", "data": { "a": 1 } } },
        { "jsonrpc": "2.0", "id": "ask", "method": "ping" },
        7,
        { "jsonrpc": "2.0", "id": requests[0]["id"], "result": text("first") },
    ]))
    .await;
    assert_eq!(
        peer.next().await,
        json!({ "jsonrpc": "2.0", "id": "ask", "result": {} })
    );
    let mut found = Vec::new();
    for answer in answers {
        found.push(text_of(answer.await.unwrap()));
    }
    found.sort_unstable();
    assert_eq!(found, ["first", "second"]);
    assert_eq!(connection.stats().batches, 1);
    let entries = logs(&mut events);
    assert_eq!(
        (entries[0].level.as_str(), entries[0].data.as_str()),
        ("error", "{\"a\":1}")
    );
}

#[tokio::test]
async fn messages_that_share_a_line_are_taken_one_by_one() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let answers = [call(&connection), call(&connection)];
    let requests = [
        peer.expect("tools/call").await,
        peer.expect("tools/call").await,
    ];
    let line = [
        json!({ "jsonrpc": "2.0", "id": requests[1]["id"], "result": text("ok") }),
        json!({ "jsonrpc": "2.0", "id": "ask", "method": "ping" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }),
        json!({ "jsonrpc": "2.0", "id": requests[0]["id"], "result": text("ok") }),
    ];
    peer.line(&line.map(|message| message.to_string()).join(" "))
        .await;
    assert_eq!(peer.next().await["id"], "ask");
    for answer in answers {
        assert_eq!(text_of(answer.await.unwrap()), "ok");
    }
    assert!(matches!(events.recv().await.unwrap(), Event::ToolsChanged));
    assert_eq!(connection.stats().malformed, 0);
}

#[tokio::test]
async fn a_line_with_more_messages_than_are_taken_is_cut() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let entry =
        json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "data": 1 } });
    peer.line(&entry.to_string().repeat(1005)).await;
    peer.notify("notifications/tools/list_changed", json!({}))
        .await;
    let mut count = 0;
    loop {
        match events.recv().await.unwrap() {
            Event::Log(entry) if entry.source == LogSource::Message => count += 1,
            Event::ToolsChanged => break,
            _ => {}
        }
    }
    assert_eq!((count, connection.stats().malformed), (1000, 1));
}

#[tokio::test]
async fn a_batch_that_would_keep_all_others_waiting_is_cut() {
    let (connection, mut events, mut peer) = connected(Options::default()).await;
    let entry =
        json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "data": 1 } });
    peer.message(json!(vec![entry; 1005])).await;
    peer.notify("notifications/tools/list_changed", json!({}))
        .await;
    let mut count = 0;
    loop {
        match events.recv().await.unwrap() {
            Event::Log(entry) if entry.source == LogSource::Message => count += 1,
            Event::ToolsChanged => break,
            _ => {}
        }
    }
    assert_eq!(count, 1000);
    let stats = connection.stats();
    assert_eq!((stats.batches, stats.malformed), (1, 1));
    let report = &stats.reports[0];
    assert!(
        report.contains("5 more messages of a batch are left out"),
        "{report}"
    );
}

#[tokio::test(start_paused = true)]
async fn messages_without_line_ends_are_read_once_nothing_follows() {
    let (connection, _events, mut peer) = connected(Options::default()).await;
    for end in ["", "\r", " "].repeat(7) {
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        let message = json!({ "jsonrpc": "2.0", "id": request["id"], "result": text("ok") });
        let message = message.to_string();
        let (first, last) = message.split_at(30);
        peer.bytes(first.as_bytes()).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        peer.bytes(format!("{last}{end}").as_bytes()).await;
        assert_eq!(text_of(answer.await.unwrap()), "ok", "{end:?}");
    }
    // A part that ends as a message does is none.
    let answer = call(&connection);
    let request = peer.expect("tools/call").await;
    let message = json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "content": [], "structuredContent": { "a": {} } } });
    for part in message.to_string().split_inclusive('}') {
        peer.bytes(part.as_bytes()).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    answer.await.unwrap().unwrap();
    assert_eq!(connection.stats().malformed, 0);
}

#[tokio::test(start_paused = true)]
async fn several_messages_without_line_ends_are_read_however_they_come() {
    for pause in [0, 50, 500] {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        for _ in 0..20 {
            peer.bytes(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}")
                .await;
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        let message = json!({ "jsonrpc": "2.0", "id": request["id"], "result": text("ok") });
        peer.bytes(message.to_string().as_bytes()).await;
        assert_eq!(text_of(answer.await.unwrap()), "ok", "{pause}");
        let stats = connection.stats();
        assert_eq!((stats.unknown_notifications, stats.malformed), (20, 0));
    }
}

#[tokio::test]
async fn an_answer_behind_noise_is_found_whatever_the_order_of_its_members() {
    for noise in ["loading... ", "{ port: 1 } ", "{\"a\":[{}], "] {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let id = peer.expect("tools/call").await["id"].clone();
        let result = text("ok");
        peer.line(&format!(
            r#"{noise}{{"result":{result},"jsonrpc":"2.0","id":{id}}}"#
        ))
        .await;
        assert_eq!(text_of(answer.await.unwrap()), "ok", "{noise}");
        assert_eq!(connection.stats().noise_lines, 1);
    }
}

/// Each costs a server little to write, and has to cost the reader no more than its length.
#[tokio::test]
async fn nothing_is_looked_through_again_and_again() {
    let spaces = vec![b' '; 8 << 20];
    let members = r#""data":1,"x":1,"#.repeat(50_000);
    let twice = format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{{members}"level":"info"}}}}"#
    );
    for costly in [&spaces[..], twice.as_bytes()] {
        let (connection, _events, mut peer) =
            connected_with(Options::default(), json!({ "tools": {} }), 4096).await;
        let start = Instant::now();
        peer.bytes(costly).await;
        peer.line("").await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        peer.result(&request, text("ok")).await;
        assert_eq!(text_of(answer.await.unwrap()), "ok");
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[tokio::test]
async fn a_last_line_without_its_end_is_still_read() {
    for before in [
        "",
        "done: ",
        r#"{"jsonrpc":"2.0","method":"notifications/x"}"#,
    ] {
        let (connection, _events, mut peer) = connected(Options::default()).await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        let message =
            json!({ "jsonrpc": "2.0", "id": request["id"], "result": text("last words") });
        peer.bytes(format!("{before}{message}").as_bytes()).await;
        peer.end().await;
        assert_eq!(text_of(answer.await.unwrap()), "last words", "{before}");
    }
}
