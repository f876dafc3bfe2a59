//! Any bytes, in pieces of any size, on a connection where a call waits: the call ends, in time or by its answer, and the
//! next call is answered as if nothing had been.

use std::time::Duration;

use super::peer::{connect, no_arguments, paused};
use mcp_transport::{CallOptions, Era, Event, LogSource};
use tokio::time::sleep;

/// The right answer to the second call.
const ANSWER: &str = r#"{"content":[{"type":"text","text":"here"}]}"#;

/// The first byte is the size of the pieces, the others are what the server writes.
pub(crate) fn run(bytes: &[u8]) {
    let Some((piece, bytes)) = bytes.split_first() else {
        return;
    };
    let (piece, noise) = (usize::from(*piece) + 1, [bytes, b"\n"].concat());
    paused(talk(piece, noise));
}

async fn talk(piece: usize, noise: Vec<u8>) {
    let size = noise.len();
    let mut noise = Some(noise);
    let connecting = connect(Era::Initialize, piece, move |request| {
        let handshake = request.handshake();
        handshake
            .or_else(|| noise.take())
            .unwrap_or_else(|| request.result(ANSWER))
    });
    let (connection, mut events) = connecting.await.expect("the handshake is a good one");
    let _ = connection
        .call_tool("t", &no_arguments(), CallOptions::default())
        .await;
    // The clock moves only when the server has written everything.
    sleep(Duration::from_millis(1)).await;
    let second = connection
        .call_tool("t", &no_arguments(), CallOptions::default())
        .await;
    assert_eq!(second.expect("noise costs no later call").raw(), ANSWER);
    assert!(!connection.dropped());
    let stats = connection.stats();
    assert!(stats.bytes_received >= (size + ANSWER.len()) as u64);
    assert!(
        stats.noise_bytes <= 3 * size as u64,
        "noise is decoded lossily at worst"
    );
    assert_eq!(stats.pending, 0);
    assert!(stats.reports.len() <= 16);
    while let Some(event) = events.try_recv() {
        let Event::Log(entry) = event else { continue };
        let foreign = matches!(entry.source, LogSource::Stdout | LogSource::Protocol);
        assert!(
            !foreign || entry.data.len() <= 1000,
            "a sample stays short: {}",
            entry.data.len()
        );
    }
    connection.close().await;
}
