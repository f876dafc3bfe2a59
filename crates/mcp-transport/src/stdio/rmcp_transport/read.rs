//! The tasks that read a server's output and standard error, to their ends.

use std::io;
use std::sync::Arc;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;

use super::incoming::{Message, failure, messages};
use super::pending::Pending;
use crate::DropReason;
use crate::link::{LineBuffer, LineTooLong};
use crate::options::EXIT_GRACE;
use crate::process::ProcessGroup;
use crate::stdio::tail::Tail;
use crate::wire::MAX_MESSAGE;

/// Reads what the server says, and in the end tells each request that waits why it waits in vain.
pub(super) struct Reader {
    pub(super) group: Arc<ProcessGroup>,
    pub(super) pending: Arc<Pending>,
    pub(super) tail: Arc<Tail>,
    pub(super) sender: Sender<Message>,
}

impl Reader {
    pub(super) async fn run(self, mut stdout: Receiver) {
        let Some(reason) = self.read(&mut stdout).await else {
            return;
        };
        let why = reason.to_string();
        for id in self.pending.take_all() {
            if self.sender.send(failure(id, why.clone())).await.is_err() {
                return;
            }
        }
    }

    /// Reads until there is nothing more to read; none if nobody listens any more.
    async fn read(&self, stdout: &mut Receiver) -> Option<DropReason> {
        let mut buffer = LineBuffer::new(MAX_MESSAGE);
        loop {
            match self.fill(&mut buffer, stdout).await {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Some(DropReason::Read(error)),
            }
            while let Some(line) = buffer.next_line() {
                let found = match line {
                    Ok(line) => messages(&line, &self.pending),
                    Err(LineTooLong) => return Some(DropReason::TooLarge { limit: MAX_MESSAGE }),
                };
                self.pass_on(found).await?;
            }
        }
        self.pass_on(messages(buffer.rest(), &self.pending)).await?;
        Some(self.reason().await)
    }

    /// A grandchild may hold the output open after the exit: then what is there is all there is.
    async fn fill(&self, buffer: &mut LineBuffer, stdout: &mut Receiver) -> io::Result<usize> {
        tokio::select! {
            biased;
            read = stdout.read_buf(buffer.room()) => return read,
            _ = self.group.exited() => {}
        }
        timeout(EXIT_GRACE, stdout.read_buf(buffer.room()))
            .await
            .unwrap_or(Ok(0))
    }

    async fn pass_on(&self, found: Vec<Message>) -> Option<()> {
        for message in found {
            self.sender.send(message).await.ok()?;
        }
        Some(())
    }

    /// The exit follows the end of the output within moments, and so does the last complaint.
    async fn reason(&self) -> DropReason {
        let exit = timeout(EXIT_GRACE, self.group.exited()).await;
        let _ = timeout(EXIT_GRACE, self.tail.ended.cancelled()).await;
        let stderr = self.tail.text();
        match exit {
            Ok(status) => DropReason::Exited { status, stderr },
            Err(_) => DropReason::ClosedOutput { stderr },
        }
    }
}

/// Keeps the end of standard error, so that the server never waits for someone to read it.
pub(super) async fn drain(mut stderr: Receiver, tail: Arc<Tail>) {
    const CHUNK: usize = 8 * 1024;
    let mut chunk = Vec::with_capacity(CHUNK);
    while stderr
        .read_buf(&mut chunk)
        .await
        .is_ok_and(|count| count > 0)
    {
        tail.push(&chunk);
        chunk.clear();
    }
    tail.ended.cancel();
}
