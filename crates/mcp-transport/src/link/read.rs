//! The incoming side of a byte stream: reads, cuts into lines, hands each to the core.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::timeout;

use super::frame::{LineBuffer, LineTooLong};
use crate::rpc::Core;
use crate::wire::MAX_MESSAGE;

/// Why reading ended.
#[derive(Debug)]
pub(crate) enum ReadEnd {
    /// The stream ended.
    End,
    /// A message was larger than [`MAX_MESSAGE`]; what follows it cannot be understood.
    TooLarge,
    Failed(io::Error),
}

/// How long the line feed of what looks like a message is waited for. Some servers write none.
const LINE_END: Duration = Duration::from_millis(100);
/// How often one line is looked at without it: each time costs its length.
const MAX_LOOKS: u32 = 16;

/// Reads messages until the stream ends.
pub(crate) async fn read_messages<R: AsyncRead + Unpin>(
    mut reader: R,
    core: &Arc<Core>,
) -> ReadEnd {
    let mut buffer = LineBuffer::new(MAX_MESSAGE);
    let mut looks = 0;
    loop {
        let may_lack_its_end = looks < MAX_LOOKS && buffer.may_lack_its_end();
        let read = reader.read_buf(buffer.room());
        let read = if may_lack_its_end {
            if let Ok(read) = timeout(LINE_END, read).await {
                read
            } else {
                looks += 1;
                if let Some(message) = buffer.take_unended() {
                    looks = 0;
                    core.receive(Cow::Borrowed(message));
                }
                reader.read_buf(buffer.room()).await
            }
        } else {
            read.await
        };
        match read {
            Ok(0) => break,
            Ok(count) => core.counters().bytes_received.add(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return ReadEnd::Failed(error),
        }
        while let Some(line) = buffer.next_line() {
            looks = 0;
            match line {
                Ok(line) => core.receive(line),
                Err(LineTooLong) => return ReadEnd::TooLarge,
            }
        }
    }
    core.receive_unfinished(buffer.rest());
    ReadEnd::End
}
