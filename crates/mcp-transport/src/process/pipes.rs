//! The host's ends of a process's standard streams.

use std::io;
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
    pub(super) fn take(child: &mut Child) -> io::Result<Self> {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        let stdin = child.stdin.take().map(OwnedFd::from);
        let stdout = child.stdout.take().ok_or_else(gone)?;
        let stderr = child.stderr.take().ok_or_else(gone)?;
        Ok(Self {
            stdin: stdin.map(Sender::from_owned_fd).transpose()?,
            stdout: Receiver::from_owned_fd(stdout.into())?,
            stderr: Receiver::from_owned_fd(stderr.into())?,
        })
    }
}
