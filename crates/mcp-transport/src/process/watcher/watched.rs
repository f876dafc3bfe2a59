//! What the watcher can be told of, in the words of its input.

use std::fmt;
use std::os::fd::AsFd;

use rustix::process::Pid;

/// Something that must not outlive this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Watched {
    /// A process that is just being started, so that its id is not known yet: it is known by the
    /// pipe that it gets as its output. Only a system with `/proc` can find it by that.
    Start(u64),
    /// A process group.
    Group(i32),
}

impl Watched {
    /// A start, by either end of the pipe.
    pub(super) fn start(output: impl AsFd) -> Self {
        // A pipe that cannot be looked at is one that cannot be found.
        Self::Start(rustix::fs::fstat(output).map_or(0, |stat| stat.st_ino))
    }

    pub(super) fn group(leader: Pid) -> Self {
        Self::Group(leader.as_raw_nonzero().get())
    }
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(pipe) => write!(f, "p{pipe}"),
            Self::Group(id) => write!(f, "{id}"),
        }
    }
}
