//! Watches a server's process and pipes, tells how they ended, and ends them.

use std::future::{Future, poll_fn};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::tail::Tail;
use crate::ending::{Ending, Process};
use crate::link::{Pipe, ReadEnd};
use crate::process::{Ladder, ProcessGroup};
use crate::rpc::Core;
use crate::wire::MAX_MESSAGE;
use crate::{CloseReport, DropReason};

/// What a server that could not be connected gets before each signal: its caller waits.
pub(super) const FAILED: Ladder = Ladder {
    grace: Duration::from_millis(250),
    term: Duration::from_millis(250),
};

impl Process for Arc<ProcessGroup> {
    fn id(&self) -> u32 {
        ProcessGroup::id(self)
    }

    fn kill(&self) {
        ProcessGroup::kill(self);
    }
}

/// What the task needs that ends a connection to a process.
pub(super) struct Supervisor {
    pub(super) core: Arc<Core>,
    pub(super) pipe: Arc<Pipe>,
    pub(super) group: Arc<ProcessGroup>,
    pub(super) tail: Arc<Tail>,
    pub(super) ending: Ending,
}

/// The first sign of an end.
enum Sign {
    Close,
    Exit,
    Output(ReadEnd),
    Input(io::Error),
}

impl Supervisor {
    /// Waits for the end, tells it, and ends the process.
    pub(super) async fn run(self, mut read_end: oneshot::Receiver<ReadEnd>) {
        let sign = tokio::select! {
            biased;
            () = self.ending.close.cancelled() => Sign::Close,
            end = &mut read_end => Sign::Output(end.unwrap_or(ReadEnd::End)),
            _ = self.group.exited() => Sign::Exit,
            error = poll_fn(|cx| self.pipe.poll_drain(cx)) => Sign::Input(error),
        };
        let ladder = match sign {
            Sign::Close => self.ladder(),
            sign => {
                let reason = self.reason(sign, read_end).await;
                let exited = matches!(reason, DropReason::Exited { .. });
                self.core.drop_connection(reason);
                if exited {
                    Ladder::kill()
                } else {
                    self.ladder()
                }
            }
        };
        let ended = self.group.terminate(ladder).await;
        self.within_grace(self.tail.ended.cancelled()).await;
        self.core.options.flush_log().await;
        self.ending.report(CloseReport {
            ended: Some(ended),
            stderr: self.tail.text(),
        });
    }

    /// Why the connection ended. The signs of one end come at different moments: the others are waited for,
    /// for a moment, so that the most telling one is told, and with everything that was written.
    async fn reason(&self, sign: Sign, read_end: oneshot::Receiver<ReadEnd>) -> DropReason {
        let (output, input) = match sign {
            Sign::Output(ReadEnd::TooLarge) => return DropReason::TooLarge { limit: MAX_MESSAGE },
            Sign::Output(end) => (Some(end), None),
            Sign::Input(error) => (None, Some(error)),
            Sign::Exit | Sign::Close => (None, None),
        };
        let exited = self.within_grace(self.group.exited());
        let rest = self.within_grace(async {
            match output {
                Some(end) => end,
                None => read_end.await.unwrap_or(ReadEnd::End),
            }
        });
        let (status, output) = tokio::join!(exited, rest);
        if let Some(status) = status {
            self.within_grace(self.tail.ended.cancelled()).await;
            return DropReason::Exited {
                status,
                stderr: self.tail.text(),
            };
        }
        let stderr = self.tail.text();
        match (output, input) {
            (Some(ReadEnd::TooLarge), _) => DropReason::TooLarge { limit: MAX_MESSAGE },
            (Some(ReadEnd::Failed(error)), _) => DropReason::Read(error),
            (None, Some(cause)) => DropReason::Write { cause, stderr },
            (Some(ReadEnd::End) | None, _) => DropReason::ClosedOutput { stderr },
        }
    }

    fn ladder(&self) -> Ladder {
        match self.core.negotiated() {
            Some(_) => self.core.options.close_ladder,
            None => FAILED,
        }
    }

    async fn within_grace<T>(&self, sign: impl Future<Output = T>) -> Option<T> {
        timeout(self.core.options.exit_grace, sign).await.ok()
    }
}
