//! The incoming side of a byte stream: reads, cuts into lines, hands each to the core.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt};

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

/// Reads messages until the stream ends.
pub(crate) async fn read_messages<R: AsyncRead + Unpin>(
    mut reader: R,
    core: &Arc<Core>,
) -> ReadEnd {
    let mut buffer = LineBuffer::new(MAX_MESSAGE);
    loop {
        match reader.read_buf(buffer.room()).await {
            Ok(0) => break,
            Ok(count) => core.counters().bytes_received.add(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return ReadEnd::Failed(error),
        }
        while let Some(line) = buffer.next_line() {
            match line {
                Ok(line) => core.receive(line),
                Err(LineTooLong) => return ReadEnd::TooLarge,
            }
        }
    }
    core.receive_unfinished(buffer.rest());
    ReadEnd::End
}
