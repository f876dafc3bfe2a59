//! The claim of one process on the watcher, from before its start to its reaping.

use std::os::fd::AsFd;

use rustix::process::Pid;

use super::registry;
use super::watched::Watched;

/// Keeps the watcher alive; dropping it makes the watcher forget the group.
///
/// It must be dropped before the leader of the group is reaped.
#[derive(Debug)]
pub(in crate::process) struct Lease {
    watched: Watched,
}

impl Lease {
    /// Makes sure that there is a watcher, and tells it of a process that is about to be started
    /// with this pipe as its output.
    pub(in crate::process) fn before_start(output: impl AsFd) -> Self {
        let watched = Watched::start(output);
        registry::lock().add(watched);
        Self { watched }
    }

    /// Tells the watcher the group of the process that was started.
    pub(in crate::process) fn started(&mut self, leader: Pid) {
        let mut registry = registry::lock();
        let start = std::mem::replace(&mut self.watched, Watched::group(leader));
        registry.add(self.watched);
        registry.remove(start);
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        registry::lock().remove(self.watched);
    }
}
