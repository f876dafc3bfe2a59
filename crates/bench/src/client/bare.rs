//! The bare loop: the least that a client with concurrent calls can do on tokio. It has no
//! deadlines, no cancellation, no limits and no events, so it is a lower bound and not a client.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::messages::{
    Answer, INITIALIZE, INITIALIZED, Tool, listed, page, request, text_of, tool_call,
};
use super::{Client, server_command};
use crate::outcome::Outcome;
use crate::peer::{PeerSpec, STDIO_COMMAND};

/// A reader task, a table of waiting calls, and callers that write for themselves.
pub(crate) struct Bare {
    pending: Arc<Pending>,
    input: tokio::sync::Mutex<ChildStdin>,
    next: AtomicU64,
    _reader: JoinSet<()>,
    _child: Child,
}

#[derive(Default)]
struct Pending {
    /// None once the server is gone.
    calls: Mutex<Option<HashMap<u64, oneshot::Sender<Box<str>>>>>,
}

impl Client for Bare {
    type Tools = Vec<Tool>;

    async fn connect(peer: PeerSpec) -> Outcome<Self> {
        let mut child = Command::new(server_command()?)
            .args(peer.arguments(STDIO_COMMAND))
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the server's pipes are missing".into());
        };
        let pending = Arc::new(Pending {
            calls: Mutex::new(Some(HashMap::new())),
        });
        let mut reader = JoinSet::new();
        reader.spawn(read(output, Arc::clone(&pending)));
        let bare = Self {
            pending,
            input: tokio::sync::Mutex::new(input),
            next: AtomicU64::new(1),
            _reader: reader,
            _child: child,
        };
        bare.request("initialize", &[INITIALIZE]).await?;
        let mut input = bare.input.lock().await;
        input.write_all(INITIALIZED.as_bytes()).await?;
        input.write_all(b"\n").await?;
        drop(input);
        Ok(bare)
    }

    async fn call(&self, tool: &'static str) -> Outcome<usize> {
        text_of(&self.request("tools/call", &tool_call(tool)).await?)
    }

    async fn list(&self) -> Outcome<(Self::Tools, usize)> {
        let mut tools = Vec::new();
        let mut next = None;
        loop {
            let page = page(next.as_deref());
            let result = self.request("tools/list", &[&page]).await?;
            next = listed(&result, &mut tools)?;
            if next.is_none() {
                let count = tools.len();
                return Ok((tools, count));
            }
        }
    }
}

impl Bare {
    async fn request(&self, method: &str, params: &[&str]) -> Outcome<Box<str>> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut line = request(id, method, params);
        line.push('\n');
        let (answer, answered) = oneshot::channel();
        self.pending.enter(id, answer);
        self.input.lock().await.write_all(line.as_bytes()).await?;
        Ok(answered.await?)
    }
}

impl Pending {
    fn enter(&self, id: u64, answer: oneshot::Sender<Box<str>>) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        // Without a table the sender is dropped here, which fails the call.
        if let Some(calls) = calls.as_mut() {
            calls.insert(id, answer);
        }
    }

    fn answer(&self, id: u64, result: Box<str>) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waiting) = calls.as_mut().and_then(|calls| calls.remove(&id)) {
            // The caller may have given up.
            let _ = waiting.send(result);
        }
    }
}

/// Reads answers into one growing buffer and hands each result on as the only copy of it.
async fn read(mut output: ChildStdout, pending: Arc<Pending>) {
    let mut buffer = Vec::with_capacity(64 * 1024);
    loop {
        let scanned = buffer.len();
        buffer.reserve(32 * 1024);
        if !matches!(output.read_buf(&mut buffer).await, Ok(1..)) {
            break;
        }
        let mut begin = 0;
        let mut from = scanned;
        while let Some(end) = memchr::memchr(b'\n', &buffer[from..]).map(|at| from + at) {
            if let Ok(answer) = serde_json::from_slice::<Answer<'_>>(&buffer[begin..end]) {
                pending.answer(answer.id, answer.result.get().into());
            }
            begin = end + 1;
            from = begin;
        }
        buffer.drain(..begin);
    }
    pending
        .calls
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
}
