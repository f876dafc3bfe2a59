//! Spans and traced payloads.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod support;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use mcp_transport::{Mask, Options};
use support::{call, connected, text};
use tracing::Level;
use tracing_subscriber::fmt::format::FmtSpan;

/// What the subscriber wrote.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is written of one call at a level.
fn traced(level: Level) -> String {
    let written = Written::default();
    let writer = written.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_span_events(FmtSpan::NEW)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let scenario = async {
        let options = Options::default()
            .server_name("demo")
            .mask(Mask::new(["hunter22"]));
        let (connection, _events, mut peer) = connected(options).await;
        let answer = call(&connection);
        let request = peer.expect("tools/call").await;
        peer.result(&request, text("token hunter22")).await;
        assert_eq!(support::text_of(answer.await.unwrap()), "token hunter22");
    };
    tracing::subscriber::with_default(subscriber, || {
        runtime.map(|runtime| runtime.block_on(scenario))
    })
    .unwrap();
    written.text()
}

#[test]
fn there_is_a_span_for_the_connect_and_for_each_request() {
    let text = traced(Level::DEBUG);
    assert!(
        text.contains("mcp.connect{server=\"demo\"}: mcp_transport"),
        "{text}"
    );
    assert!(
        text.contains("mcp.request{server=\"demo\" method=\"initialize\"}"),
        "{text}"
    );
    assert!(
        text.contains("mcp.request{server=\"demo\" method=\"tools/call\"}"),
        "{text}"
    );
}

#[test]
fn payloads_are_shown_at_trace_only_and_masked() {
    assert!(!traced(Level::DEBUG).contains("payload"));
    let text = traced(Level::TRACE);
    assert!(
        text.contains("direction=\"sent\"") && text.contains("direction=\"received\""),
        "{text}"
    );
    assert!(
        text.contains("token [SECRET]") && !text.contains("hunter22"),
        "{text}"
    );
}
