//! The host's ends of a process's standard streams.

use std::io::{self, PipeReader};
use std::os::fd::OwnedFd;
use std::process::Child;

use tokio::net::unix::pipe::{Receiver, Sender};

/// The host's ends of a process's standard streams, non-blocking.
///
/// Dropping `stdin` is the end of the process's input.
#[derive(Debug)]
pub struct Pipes {
    /// Where to write; none if the process was given an empty input.
    pub stdin: Option<Sender>,
    /// What the process prints.
    pub stdout: Receiver,
    /// What the process complains of.
    pub stderr: Receiver,
}

impl Pipes {
    pub(super) fn take(child: &mut Child, stdout: PipeReader) -> io::Result<Self> {
        let stdin = child.stdin.take().map(OwnedFd::from);
        let stderr = child.stderr.take();
        let stderr = stderr.ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(Self {
            stdin: stdin.map(Sender::from_owned_fd).transpose()?,
            stdout: Receiver::from_owned_fd(stdout.into())?,
            stderr: Receiver::from_owned_fd(stderr.into())?,
        })
    }
}
